import type { ReactNode } from 'react'
import type { Language } from '../../languages.ts'
import { MAX_PIXELS } from '../../media/upload-limits.ts'
import type { Translate } from '../../translator.ts'
import { type Booking, creativeLimits } from '../bookings/contract.ts'
import type { CreativeField, CreativeProblems } from './creative-form.ts'
import { counting, FormNote, ROOM, TextField } from './text-field.tsx'

interface Props {
  booking: Booking
  language: Language
  /** The one that is here, and whether it waits for words that are right. */
  image: NonNullable<Booking['creative']>['image']
  isHeld: boolean
  typed?: Readonly<Record<string, string>> | undefined
  problems: CreativeProblems
  t: Translate
}

const megabytes = creativeLimits.bytes / 1024 ** 2

/** What the fields begin with: what was typed, else what was said before, else the sponsor's name. */
export function valuesOf({
  booking: { sponsor, creative },
  typed,
  isHeld,
}: Pick<Props, 'booking' | 'typed' | 'isHeld'>) {
  const before = creative ?? { name: sponsor, text: '', label: '', target: '', image: null }
  const { name, text, label, target, image } = before
  // The description that is here is of the image before the one that is held.
  const alt = isHeld ? '' : (image?.alt ?? '')
  return { ...{ name, text, label, target, alt }, ...typed }
}

/** The form in which a sponsor says something. It works without a script; with one it counts while they type. */
export function CreativeForm(props: Props) {
  const { booking, image, isHeld, problems, t } = props
  const values = valuesOf(props)
  const field = (name: 'name' | 'text' | 'label' | 'target' | 'alt', most: number) => ({
    ...{ name, most, label: t(`sponsors.own.field.${name}`), typed: values[name], problem: problemOf(props, name) },
  })
  const counted = (name: 'name' | 'label' | 'alt') => ({
    ...field(name, creativeLimits[name] * ROOM),
    counting: counting(props, { of: 'characters', most: creativeLimits[name], begun: values[name] }),
  })
  return (
    <form method="post" encType="multipart/form-data" className="sponsor-form" id="creative" noValidate>
      <input type="hidden" name="act" value="creative" />
      {Object.keys(problems).length > 0 ? <FormNote>{t('sponsors.own.wrong')}</FormNote> : null}
      <TextField {...counted('name')} required />
      <TextField
        {...field('text', creativeLimits.text)}
        counting={counting(props, { of: 'words', most: booking.maxWords, begun: values.text })}
        required
        lines
      />
      <TextField {...counted('label')} required />
      <TextField
        {...field('target', creativeLimits.target)}
        type="url"
        hint={t('sponsors.own.leads')}
        wrong={t('sponsors.own.problem.target')}
        required
      />
      {booking.takesImage ? (
        <>
          <ImageField
            {...{ image, isHeld, t }}
            leavesOut={props.typed?.leaveOut === 'yes'}
            problem={problemOf(props, 'image')}
          />
          <TextField {...counted('alt')} />
        </>
      ) : null}
      <p>
        <button type="submit" className="button full-width-on-phones">
          {t(booking.state === 'creative_in' ? 'sponsors.own.sendAgain' : 'sponsors.own.send')}
        </button>
      </p>
    </form>
  )
}

interface ImageProps extends Pick<Props, 'image' | 'isHeld' | 't'> {
  problem: ReactNode
  /** Of a form that was refused. */
  leavesOut: boolean
}

/** A file to choose, and what was sent before. The script says at once when a file is too large, and shows it. */
function ImageField({ image, isHeld, problem, leavesOut, t }: ImageProps) {
  return (
    <div>
      <label className="field-label" htmlFor="image">
        {t(image ? 'sponsors.own.otherImage' : 'sponsors.own.field.image')}
      </label>
      <div className="sponsor-image">
        {image ? <img src={`/media/${image.mediaId}?w=320`} alt={image.alt} width={132} /> : null}
        <input
          type="file"
          id="image"
          name="image"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          aria-describedby={problem ? 'image-hint image-problem' : 'image-hint'}
          aria-invalid={problem ? true : undefined}
          data-most={creativeLimits.bytes}
          data-large={t('sponsors.own.problem.image_large', { megabytes })}
        />
      </div>
      <p className="small" id="image-hint">
        {isHeld ? `${t('sponsors.own.imageHeld')} ` : null}
        {t('sponsors.own.imageHint', { megabytes })}
      </p>
      {problem}
      {image ? (
        <label className="choice consent">
          <input type="checkbox" name="leaveOut" value="yes" defaultChecked={leavesOut} />
          {t('sponsors.own.leaveOut')}
        </label>
      ) : null}
    </div>
  )
}

function problemOf({ problems, booking, t }: Props, name: CreativeField) {
  const problem = problems[name]
  if (!problem) return null
  const values = { count: booking.maxWords, megabytes, megapixels: MAX_PIXELS / 1_000_000 }
  return (
    <p className="field-problem" id={`${name}-problem`} role="alert">
      {t(`sponsors.own.problem.${problem}`, values)}
    </p>
  )
}
