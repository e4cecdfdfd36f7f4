/** Servers explain themselves at the beginning. */
const MAX_LENGTH = 2_000

/** What stands in an answer by chance: it must not be taken for words. Every repetition has a limit. */
const ADDRESS = /[^\s<>()[\]@,;:"]{1,128}@[^\s<>()@,;:"]{1,255}/g
const LINK = /\b(?:https?|mailto):[^\s<>"]{1,500}/g
const HOST =
  /(?<![a-z0-9.-])(?!(?:resolver|smtpsend|storedrv|queue)\.)(?:[a-z0-9_-]{1,63}\.){1,20}[a-z][a-z0-9-]{1,62}(?![a-z0-9-])/g
const NETWORK_ADDRESS =
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)|(?<![0-9a-f:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}/g
/** These names say that the sending network is refused. */
const BLOCK_LIST =
  /(?:https?:\/\/)?(?:[a-z0-9-]{1,63}\.){0,5}(?:spamhaus|sorbs|spamcop|barracudacentral|uceprotect|abuseat|mailspike)\.(?:org|net|com)(?![a-z0-9-])(?:\/[^\s<>"]{0,200})?/g
const STATUS = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/g
const CONTINUED = /(?<![a-z0-9])[245]\d\d-/g
const QUEUE_ID =
  /(?<![a-z0-9])[0-9a-z]{6}-[0-9a-z]{6,11}-[0-9a-z]{2,4}(?![a-z0-9])|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const ID = /(?<![a-z0-9])(?=[a-z]{0,63}\d)[a-z0-9]{8,64}(?![a-z0-9])/g

/**
 * The words of an answer, in lower case, without accents and punctuation, one space between them. Addresses, hosts and links
 * become one word (xaddress, xhost, xnetwork, xlink, xblocklist), ids are left out, so that an answer about one reader is read like the same answer about another.
 */
export function wordsOf(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(ADDRESS, ' xaddress ')
    .replace(BLOCK_LIST, ' xblocklist ')
    .replace(LINK, ' xlink ')
    .replace(STATUS, ' ')
    .replace(NETWORK_ADDRESS, ' xnetwork ')
    .replace(HOST, ' xhost ')
    .replace(CONTINUED, ' ')
    .replace(QUEUE_ID, ' ')
    .replace(/['’`´]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(ID, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}
