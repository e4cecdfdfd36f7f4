import type { PublicationMailProps } from '../email/frame.email.tsx'
import { type RenderedMail, renderPublicationMail, renderSystemMail } from '../email/render.ts'
import { brandStyle } from '../newsletters/branding.ts'
import { darkModeStyle } from '../publications/document/document-style.ts'
import { renderEmailBody } from '../publications/document/email.tsx'
import { renderText } from '../publications/document/plain-text.ts'
import { longRead } from '../seed/samples/quart-d-heure-long.ts'
import { translator } from '../translator.ts'
import { compound, longAddress, longArticle } from './long-article.ts'

const style = brandStyle('#0C5C5A', 'gazette')

/** The article as a mail, with cover, logo, pixel and all addresses. */
export function articleMail(changes: Partial<PublicationMailProps> = {}): RenderedMail {
  const t = translator('fr')
  const options = {
    t,
    link: (href: string) => href,
    image: ({ src }: { src: string | null }, width: number) => ({
      src: src ?? '',
      width,
      height: Math.round(width / 2),
    }),
    mergeTag: (_: string, fallback: string) => fallback,
  }
  return renderPublicationMail(
    {
      t,
      language: 'fr',
      title: longRead.title,
      preheader: longRead.subtitle,
      style,
      rules: darkModeStyle(longArticle, true),
      newsletter: 'Le quart d’heure',
      logo: 'https://img.example.org/logo.png',
      number: 12,
      date: 'samedi 21 novembre 2026',
      webAddress: 'https://example.org/n/quart-d-heure/brest',
      standfirst: longRead.subtitle,
      cover: {
        src: 'https://img.example.org/cover.png',
        night: 'https://img.example.org/cover.night.png',
        alt: '',
      },
      body: renderEmailBody(longArticle, { ...options, style }),
      unsubscribeAddress: 'https://example.org/unsub/n/s?p=1',
      dataAddress: 'https://example.org/data/n/s',
      postalAddress: '4 quai de la Criée, 29770 Audierne',
      pixelAddress: 'https://example.org/o/n/p/s.gif',
      ...changes,
    },
    renderText(longArticle, options),
  )
}

/** A mail of the house, with a button and its address. */
export const houseMail = (): RenderedMail =>
  renderSystemMail({
    t: translator('fr'),
    language: 'fr',
    style,
    from: 'Le quart d’heure',
    logo: 'https://img.example.org/logo.png',
    title: 'Confirmez votre adresse',
    preheader: 'Une pression suffit.',
    paragraphs: ['Pressez le bouton, et la première lettre viendra à vous.', compound],
    action: { label: 'Confirmer', address: longAddress },
    postalAddress: '4 quai de la Criée, 29770 Audierne',
  })
