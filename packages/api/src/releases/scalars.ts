// Scalars that the kinds of this group share.
import { z } from "zod";

export const int32 = z.int().min(-2_147_483_648).max(2_147_483_647).meta({ format: "int32" });
/** Go's uint32; an integer format that CRDs know does not exist for it. */
export const uint32 = z.int().min(0).max(4_294_967_295);
export const int64 = z.int().meta({ format: "int64" });
/** A Go duration: `10s`, `2h0m0s`. */
export const goDuration = z.string();
export const stringMap = z.record(z.string(), z.string());
