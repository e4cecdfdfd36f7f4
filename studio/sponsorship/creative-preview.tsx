import { useTranslation } from 'react-i18next'
import type { Booking, Creative } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import classes from './sponsorship.module.css'

interface Props {
  creative: Creative
  placement: Placement
  /** That in which it runs or ran, where it is known. */
  publication: Booking['publication']
  /** Whether it neither ran nor will. */
  isUnseen?: boolean
}

/** What a sponsor says as readers see it, below the words that mark it. */
export function CreativePreview({ creative, placement: { words }, publication, isUnseen = false }: Props) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const language = publication?.language ?? newsletter.language
  const title = t(isUnseen ? 'sponsorship.unseen' : 'sponsorship.preview')
  const { name, text, label, target, image } = creative
  return (
    <section className={classes.preview} aria-label={title}>
      <p className={classes.quiet}>{title}</p>
      <div className={classes.sheet} lang={language}>
        <small>{(words[language] ?? Object.values(words)[0])?.disclosure}</small>
        {image && <img src={`/media/${image.mediaId}?w=600`} alt={image.alt} />}
        <p>
          <b>{name}</b>
        </p>
        <p className={classes.lines}>{text}</p>
        <p>
          {/^https?:\/\//i.test(target) ? (
            <a href={target} rel="noreferrer">
              {label}
            </a>
          ) : (
            label
          )}
        </p>
      </div>
    </section>
  )
}
