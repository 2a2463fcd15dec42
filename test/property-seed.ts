// Properties are tried with the same cases in every run, so that a change is judged by itself. Others, found at random:
// CHASKI_SEED=$RANDOM npm test
import { configureGlobal } from "fast-check";

configureGlobal({ seed: Number(process.env["CHASKI_SEED"] ?? 1) });
