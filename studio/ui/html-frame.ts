/** The server allows style elements that carry this value, and no others (Content-Security-Policy). */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''

/**
 * A whole HTML document, such as a mail, for `srcDoc` of a sandboxed frame: its own styles may apply there, and its
 * links open beside the app. The frame inherits the policy of the page, so scripts never run in it.
 */
export function htmlForFrame(html: string): string {
  const styled = html.replace(/<style(?=[\s>])/gi, `<style nonce="${styleNonce}"`)
  const base = '<base target="_blank">'
  return /<head[^>]*>/i.test(styled) ? styled.replace(/<head[^>]*>/i, (head) => head + base) : base + styled
}
