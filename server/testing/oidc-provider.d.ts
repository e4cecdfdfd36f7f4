/** What the tests use of a package that brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[]
    pkce: { required: () => boolean }
    claims: Record<string, string[]>
    cookies: { keys: string[] }
    findAccount: (
      call: unknown,
      id: string,
    ) => { accountId: string; claims: () => { sub: string; [claim: string]: unknown } }
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
