export const videoProviders = ['youtube', 'vimeo', 'file'] as const
export type VideoProvider = (typeof videoProviders)[number]

export interface VideoAddress {
  provider: VideoProvider
  /** The address of the page or file. */
  url: string
  /** The provider’s player, without cookies until it plays; null for a file, which needs none. */
  embed: string | null
}

const youtubeHosts = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'www.youtube-nocookie.com'])
const vimeoHosts = new Set(['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'])

function youtubeId(url: URL): string | null {
  if (url.hostname === 'youtu.be') return url.pathname.slice(1)
  if (!youtubeHosts.has(url.hostname)) return null
  return url.searchParams.get('v') ?? /^\/(?:embed|shorts|live)\/([^/]+)/.exec(url.pathname)?.[1] ?? null
}

const vimeoId = (url: URL): string | null =>
  vimeoHosts.has(url.hostname) ? (/^\/(?:video\/)?(\d{4,12})(?:\/|$)/.exec(url.pathname)?.[1] ?? null) : null

function webAddress(text: string): URL | null {
  const url = URL.parse(text)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}

/** The video at an address, or null unless it is the address of a YouTube or Vimeo video or of a video file. */
export function videoAddress(text: string): VideoAddress | null {
  const file = /^\/(?!\/)[^?#]+\.(mp4|webm|ogv|mov|m4v)(\?|#|$)/i.test(text)
  if (file) return { provider: 'file', url: text, embed: null }
  const url = webAddress(text)
  if (!url) return null
  const youtube = youtubeId(url)
  if (youtube !== null) {
    if (!/^[\w-]{6,20}$/.test(youtube)) return null
    return { provider: 'youtube', url: text, embed: `https://www.youtube-nocookie.com/embed/${youtube}` }
  }
  const vimeo = vimeoId(url)
  if (vimeo) return { provider: 'vimeo', url: text, embed: `https://player.vimeo.com/video/${vimeo}?dnt=1` }
  return /\.(mp4|webm|ogv|mov|m4v)$/i.test(url.pathname) ? { provider: 'file', url: text, embed: null } : null
}
