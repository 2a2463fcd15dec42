export {
  type Authority,
  createAuthority,
  expiresAt,
  type IssueRequest,
  type KeyPair,
  loadAuthority,
  UnusableAuthorityError,
} from "./authority.ts";
