/**
 * Gives a frame the height of its document as `--content-height`, as soon as that is parsed, and keeps it right while images
 * arrive and the width changes. Its sandbox has to allow the origin of this page. Returns what stops it.
 */
export function fitHeight(frame: HTMLIFrameElement): () => void {
  let next = 0
  const observer = new ResizeObserver(() => {
    const shown = partsOf(frame.contentDocument)
    if (!shown) return
    const bottom = shown.body.getBoundingClientRect().bottom - shown.root.getBoundingClientRect().top
    frame.style.setProperty('--content-height', `${Math.ceil(bottom)}px`)
  })
  // Its `load` event waits for every image, and one may never arrive.
  const observeParsed = () => {
    const page = frame.contentDocument
    const shown = page?.URL === 'about:srcdoc' && page.readyState !== 'loading' ? partsOf(page) : null
    if (shown) {
      // A scroll bar that takes up room, as in Firefox, makes the page narrower and its images lower. The frame would then stay so low that
      // the bar stays too.
      shown.root.style.overflowY = 'hidden'
      observer.observe(shown.body)
    } else next = requestAnimationFrame(observeParsed)
  }
  observeParsed()
  return () => {
    cancelAnimationFrame(next)
    observer.disconnect()
  }
}

/** A document that another one is replacing has no elements for a moment. */
function partsOf(page: Document | null): { root: HTMLElement; body: HTMLElement } | null {
  const root: HTMLElement | null | undefined = page?.documentElement
  const body: HTMLElement | null | undefined = page?.body
  return root && body ? { root, body } : null
}
