// An operator for operator.real.test.ts, as a user would write its main file.
import { pinoLogger, runOperator } from "@chaski/runtime";
import { accountController } from "./doubles/account-controller.ts";

const [kubeconfigPath = "", namespace = ""] = process.argv.slice(2);

process.exitCode = await runOperator({
  name: "sea",
  controllers: [accountController],
  kubeconfig: { path: kubeconfigPath },
  lease: { namespace, name: "sea" },
  health: { host: "127.0.0.1", port: 0 },
  log: pinoLogger(),
  prepare: (runtime) => {
    void runtime.lost.then(() => console.log("lost"));
  },
});
console.log("ended");
