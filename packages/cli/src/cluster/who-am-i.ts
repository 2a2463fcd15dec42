import type { Client } from "@chaski/runtime/connect";

/** As the server knows whoever asks; undefined where it does not say. */
export async function whoAmI(client: Pick<Client, "raw">): Promise<string | undefined> {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
  try {
    const answer: { readonly status?: { readonly userInfo?: { readonly username?: string } } } = JSON.parse(
      await client.raw({ method: "POST", path, body }),
    );
    return answer.status?.userInfo?.username;
  } catch {
    return undefined;
  }
}
