/** The first enhanced status code (RFC 3463) of a failure in a server's answer, or null. Its subjects end at 7. */
export const enhancedStatusIn = (text: string): string | null =>
  /(?<![\d.])([45]\.[0-7]\.\d{1,3})(?![\d.]*\d)/.exec(text)?.[1] ?? null

/** The first reply code (RFC 5321 section 4.2) of a failure in a server's answer, or null. */
export const replyCodeIn = (text: string): number | null => {
  const code = /(?<![\w.])[45][0-5]\d(?![\w.])/.exec(text)?.[0]
  return code === undefined ? null : Number(code)
}

/** `rfc822; ada@example.org` → `ada@example.org` (RFC 3464 section 2.1.2); a value without a type stays as it is. */
export const withoutType = (value: string | undefined): string | null => {
  const text = value?.replace(/^[\w-]+\s*;\s*/, '').trim()
  return text ? text : null
}
