import type { ReactElement } from 'react'
import type { Picture } from './render-options.ts'

interface WebPictureProps {
  picture: Picture
  /** The most CSS pixels that it takes. */
  across: number
  alt: string
}

/** A picture of a document on the web: a browser takes the lightest file that is sharp where it is shown, and none before it comes near. */
export function WebPicture({ picture: { src, width, height, sources }, across, alt }: WebPictureProps): ReactElement {
  const img = <img src={src} width={width} height={height ?? undefined} alt={alt} loading="lazy" decoding="async" />
  if (!sources) return img
  return (
    <picture>
      <source type="image/webp" srcSet={sources} sizes={`min(100vw, ${across}px)`} />
      {img}
    </picture>
  )
}
