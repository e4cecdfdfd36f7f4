/** Whoever may have any port asked finds out what else a machine serves. */
export const webPorts: ReadonlySet<number> = new Set([80, 443, 8080, 8443])

/** The port that an address on the web leads to. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))
