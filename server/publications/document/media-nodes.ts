import { mergeAttributes, Node } from '@tiptap/core'
import { knownValue } from './known-value.ts'
import { type VideoProvider, videoAddress } from './video.ts'

export const imageWidths = ['small', 'normal', 'wide'] as const
type ImageWidth = (typeof imageWidths)[number]

/** `mediaId` is a picture that is stored here; `src` is its address, or that of a picture elsewhere. */
interface ImageAttributes {
  mediaId: string | null
  src: string | null
  alt: string
  caption: string
  width: ImageWidth
  /** Where a click on the picture leads. */
  href: string | null
}

interface VideoAttributes {
  url: string
  provider: VideoProvider
  posterMediaId: string | null
  posterSrc: string | null
  title: string
}

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    picture: {
      setImage: (image: Partial<ImageAttributes>) => ReturnType
    }
    video: {
      /** False unless it is the address of a YouTube or Vimeo video or of a video file. */
      setVideo: (video: { url: string } & Partial<Omit<VideoAttributes, 'provider'>>) => ReturnType
    }
  }
}

export const ImageBlock = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    mediaId: { default: null, parseHTML: (element) => element.dataset.mediaId ?? null, rendered: false },
    src: { default: null },
    alt: { default: '', parseHTML: (element) => element.getAttribute('alt') ?? '' },
    caption: { default: '', parseHTML: (element) => element.dataset.caption ?? '', rendered: false },
    width: {
      default: 'normal',
      parseHTML: (element) => knownValue(imageWidths, element.dataset.width) ?? 'normal',
      rendered: false,
    },
    href: { default: null, parseHTML: (element) => element.dataset.href ?? null, rendered: false },
  }),
  parseHTML: () => [{ tag: 'img[src]:not([src^="data:"])' }],
  renderHTML: ({ HTMLAttributes, node }) => [
    'img',
    mergeAttributes(HTMLAttributes, {
      'data-media-id': node.attrs.mediaId,
      'data-caption': node.attrs.caption || null,
      'data-width': node.attrs.width,
      'data-href': node.attrs.href,
    }),
  ],
  addCommands() {
    return {
      setImage:
        (attrs) =>
        ({ commands }) =>
          commands.insertContent({ type: this.name, attrs }),
    }
  },
})

export const VideoBlock = Node.create({
  name: 'video',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    url: { default: '', parseHTML: (element) => element.dataset.video ?? '', rendered: false },
    provider: {
      default: 'file',
      parseHTML: (element) => videoAddress(element.dataset.video ?? '')?.provider ?? 'file',
      rendered: false,
    },
    posterMediaId: { default: null, parseHTML: (element) => element.dataset.posterMediaId ?? null, rendered: false },
    posterSrc: { default: null, parseHTML: (element) => element.dataset.posterSrc ?? null, rendered: false },
    title: { default: '', parseHTML: (element) => element.dataset.title ?? '', rendered: false },
  }),
  parseHTML: () => [{ tag: 'figure[data-video]' }],
  renderHTML: ({ node }) => [
    'figure',
    {
      'data-video': node.attrs.url,
      'data-poster-media-id': node.attrs.posterMediaId,
      'data-poster-src': node.attrs.posterSrc,
      'data-title': node.attrs.title,
    },
    ['figcaption', {}, node.attrs.title || node.attrs.url],
  ],
  addCommands() {
    return {
      setVideo:
        ({ url, ...rest }) =>
        ({ commands }) => {
          const address = videoAddress(url)
          return (
            address !== null &&
            commands.insertContent({
              type: this.name,
              attrs: { ...rest, url: address.url, provider: address.provider },
            })
          )
        },
    }
  },
})
