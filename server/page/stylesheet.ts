/** CSS files, in the order in which their rules apply, as a page carries them: without comments and needless space. */
export const stylesheet = (...sources: string[]): string =>
  sources
    .join('\n')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*\n\s*/g, '')
    .replaceAll(/\s*([{};,])\s*/g, '$1')
    .replaceAll(/:\s+/g, ':')
    .replaceAll(';}', '}')
