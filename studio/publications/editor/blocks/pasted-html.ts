/** Images that stood in pasted HTML themselves, as `data:` addresses, by the address that they have in the editor until they are uploaded. */
export class InlineImages {
  readonly #files = new Map<string, File>()

  /** The file of an address, if it is one of these. */
  get(src: string): File | undefined {
    return this.#files.get(src)
  }

  /** The same HTML, with a short address for each image that stands in it. What cannot be read gets one without a file. */
  takeFrom(html: string): string {
    if (!/<img[^>]+src=["']?\s*data:/i.test(html)) return html
    const page = new DOMParser().parseFromString(html, 'text/html')
    for (const image of page.querySelectorAll<HTMLImageElement>('img[src^="data:" i]')) {
      const src = `pasted:${crypto.randomUUID()}`
      const file = fileOf(image.getAttribute('src') ?? '')
      if (file) this.#files.set(src, file)
      image.setAttribute('src', src)
    }
    return page.body.innerHTML
  }
}

function fileOf(address: string): File | null {
  const [, type, text] = /^data:(image\/[\w.+-]+);base64,(.+)$/is.exec(address.trim()) ?? []
  if (!type || !text) return null
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (letter) => letter.charCodeAt(0))
    return new File([bytes], type.replace('/', '.'), { type })
  } catch {
    return null
  }
}
