const policy =
  "default-src 'none'; img-src http: https: data:; font-src http: https: data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"

/** A whole HTML document, made safe to show in a frame: it runs no script and sends no form. */
export const framed = (html: string): string => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`
  return html.includes('<head>') ? html.replace('<head>', () => `<head>${meta}`) : meta + html
}
