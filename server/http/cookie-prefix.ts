import type { Config } from '../config.ts'

/**
 * The beginning of the names of our cookies. Under https, browsers take cookies of the name `__Host-` only from this very host, and
 * neither a subdomain nor a page without encryption can set one (RFC 6265bis section 4.1.3.2).
 */
export const cookiePrefix = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl.startsWith('https:') ? '__Host-tirage' : 'tirage'
