/**
 * Gives a frame the height of its document as `--content-height`, as soon as that is parsed, and keeps it right while images
 * arrive and the width changes. Its sandbox has to allow the origin of this page. Returns what stops it.
 */
export function fitHeight(frame: HTMLIFrameElement): () => void {
  let next = 0
  const observer = new ResizeObserver(() => {
    const page = frame.contentDocument
    if (!page) return
    const bottom = page.body.getBoundingClientRect().bottom - page.documentElement.getBoundingClientRect().top
    frame.style.setProperty('--content-height', `${Math.ceil(bottom)}px`)
  })
  // Its `load` event waits for every image, and one may never arrive.
  const observeParsed = () => {
    const page = frame.contentDocument
    if (page?.URL === 'about:srcdoc' && page.readyState !== 'loading') {
      // A scroll bar that takes up room, as in Firefox, makes the page narrower and its images lower. The frame would then stay so low that
      // the bar stays too.
      page.documentElement.style.overflowY = 'hidden'
      observer.observe(page.body)
    } else next = requestAnimationFrame(observeParsed)
  }
  observeParsed()
  return () => {
    cancelAnimationFrame(next)
    observer.disconnect()
  }
}
