/** Not in an address: a reader may be called 5.1.1@example.org. The limits keep the time to read linear. */
const OUTSIDE_ADDRESSES = /(?![^\s<>()[\]@,;:"]{0,128}@)(?<!@[^\s<>()@,;:"]{0,255})/.source

const ENHANCED_STATUS = new RegExp(`(?<![\\d.])([45]\\.[0-7]\\.\\d{1,3})(?![\\d.]*\\d)${OUTSIDE_ADDRESSES}`)
const REPLY_CODE = new RegExp(`(?<![\\w.])[45][0-5]\\d(?![\\w.])${OUTSIDE_ADDRESSES}`)

/** The first enhanced status code (RFC 3463) of a failure in a server's answer, or null. Its subjects end at 7. */
export const enhancedStatusIn = (text: string): string | null => ENHANCED_STATUS.exec(text)?.[1] ?? null

/** The first reply code (RFC 5321 section 4.2) of a failure in a server's answer, or null. */
export const replyCodeIn = (text: string): number | null => {
  const code = REPLY_CODE.exec(text)?.[0]
  return code === undefined ? null : Number(code)
}

/** `rfc822; ada@example.org` → `ada@example.org` (RFC 3464 section 2.1.2); a value without a type stays as it is. */
export const withoutType = (value: string | undefined): string | null => {
  const text = value?.replace(/^[\w-]+\s*;\s*/, '').trim()
  return text ? text : null
}
