/** Makes plain spaces of those that WebKit copies beside words in bold and links: no line breaks at them, and a span around each says so. */
export const plainSpaces = (html: string): string =>
  html.replaceAll(/<span\s[^>]*\bApple-converted-space\b[^>]*>(?:&nbsp;|&#160;|\s)*<\/span>/gi, ' ')
