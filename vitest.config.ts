import { defineConfig } from "vitest/config";

// `unit` needs nothing but Node; `real` starts API servers and so runs one file at a time.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{packages,tools,docs,test,bench}/**/*.test.ts"],
          exclude: ["**/*.real.test.ts", "**/node_modules/**"],
          setupFiles: ["test/property-seed.ts"],
        },
      },
      {
        test: {
          name: "real",
          include: ["{packages,test,docs}/**/*.real.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["test/kube/global-setup.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
