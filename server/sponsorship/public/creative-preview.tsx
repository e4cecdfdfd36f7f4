import type { Language } from '../../languages.ts'
import type { Translate } from '../../translator.ts'
import type { Booking } from '../bookings/contract.ts'
import type { Placement } from '../contract.ts'
import { disclosureIn } from './words.ts'

interface Props {
  /** That of the readers. */
  language: Language
  placement: Placement
  says: { name: string; text: string; label: string; target: string; alt: string }
  image: NonNullable<Booking['creative']>['image']
  /** Whether it changes while somebody types, when there is a script. */
  isLive: boolean
  /** Whether it neither ran nor will. */
  isUnseen: boolean
  t: Translate
}

/** What a sponsor says as readers see it, below the words that mark it. */
export function CreativePreview({ language, placement, says, image, isLive, isUnseen, t }: Props) {
  const { name, text, label, target, alt } = says
  return (
    <section className="sponsor-preview" aria-labelledby="preview" id="creative-preview">
      <p>
        <b id="preview">{t(isUnseen ? 'sponsors.own.unseen' : 'sponsors.own.preview')}</b>
        {isLive ? (
          <span className="small" data-live={t('sponsors.own.previewLive')}>
            {t('sponsors.own.previewSent')}
          </span>
        ) : null}
      </p>
      <div className="sponsor-sheet" lang={language}>
        <p className="small">{disclosureIn(placement, language)}</p>
        {image || isLive ? (
          <img
            data-shows="image"
            src={image ? `/media/${image.mediaId}?w=600` : undefined}
            alt={alt}
            hidden={image === null}
          />
        ) : null}
        <p>
          <b data-shows="name">{name}</b>
        </p>
        <p className="sponsor-lines" data-shows="text">
          {text}
        </p>
        <p>
          <a data-shows="label" href={/^https?:\/\//.test(target) ? target : undefined} rel="noopener noreferrer">
            {label}
          </a>
        </p>
      </div>
    </section>
  )
}
