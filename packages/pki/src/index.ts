export {
  type Authority,
  createAuthority,
  expiresAt,
  type IssueRequest,
  type KeyPair,
  loadAuthority,
} from "./authority.ts";
