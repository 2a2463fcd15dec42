// The same cases as on a real API server, on the one in the process.
import { describe } from "vitest";
import { commitCases } from "./apply/commit-cases.ts";
import { metadataCases } from "./apply/metadata-cases.ts";
import { ownershipCases } from "./apply/ownership-cases.ts";
import { embeddedPlace } from "./apply/place.ts";
import { resilienceCases } from "./apply/resilience-cases.ts";
import { writingCases } from "./apply/writing-cases.ts";

describe("writing", () => writingCases(embeddedPlace));
describe("ownership", () => ownershipCases(embeddedPlace));
describe("commit", () => commitCases(embeddedPlace));
describe("metadata", () => metadataCases(embeddedPlace));
describe("resilience", () => resilienceCases(embeddedPlace));
