/** The nonce of this page: the server's Content-Security-Policy allows only style elements that carry it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''

/**
 * Prepares an HTML document, such as a mail, for `srcDoc` of a sandboxed frame: its styles get the nonce, and its links
 * open in a new tab, except those to a place in itself. The frame inherits the policy of the page, so scripts never run in it.
 */
export function htmlForFrame(html: string): string {
  const styled = linksInside(html).replace(/<style(?=[\s>])/gi, `<style nonce="${styleNonce}"`)
  const base = '<base target="_blank">'
  return /<head[^>]*>/i.test(styled) ? styled.replace(/<head[^>]*>/i, (head) => head + base) : base + styled
}

/**
 * Makes links to a place in the document, as of footnotes, move within its frame: the address of such a document is `about:srcdoc`, while
 * relative addresses in it begin at the page around it.
 */
export const linksInside = (html: string): string =>
  html.replaceAll(/(<a\s(?:[^>]*?\s)?)href="#/gi, '$1target="_self" href="about:srcdoc#')
