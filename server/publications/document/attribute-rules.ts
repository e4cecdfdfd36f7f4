import { faceKeys } from '../../page/faces.ts'
import { alignments, directions, maximumIndent } from './block-format.ts'
import { surfaces } from './gate-nodes.ts'
import { isLinkAddress, isPictureAddress } from './link-address.ts'
import { imageWidths } from './media-nodes.ts'
import { isNoteText, noteLimits } from './note-text.ts'
import { buttonAligns, calloutTones, dividerKinds } from './publication-nodes.ts'
import { isStorable } from './storable.ts'
import { textSizes } from './text-format.ts'
import { videoAddress, videoProviders } from './video.ts'

/** Plans that one gate names. */
const mostPlans = 20

export type AttributeProblem =
  | 'bad_link'
  | 'bad_picture'
  | 'bad_color'
  | 'bad_size'
  | 'bad_font'
  | 'bad_number'
  | 'bad_text'
  | 'bad_id'
  | 'bad_choice'
  | 'bad_video'
  | 'bad_field'
  | 'bad_plans'
  | 'bad_note'

interface Refusal {
  code: AttributeProblem
  params: Record<string, string | number>
}

/** Why a value is refused, or null when it is allowed. */
export type AttributeRule = (value: unknown) => Refusal | null

const rule =
  (fits: (value: unknown) => boolean, code: AttributeProblem, params: Refusal['params'] = {}): AttributeRule =>
  (value) =>
    fits(value) ? null : { code, params }

const orNull =
  (inner: AttributeRule): AttributeRule =>
  (value) =>
    value === null ? null : inner(value)

const integer = (minimum: number, maximum: number): AttributeRule =>
  rule((value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum, 'bad_number', {
    minimum,
    maximum,
  })

const choice = (words: readonly string[], code: AttributeProblem = 'bad_choice'): AttributeRule =>
  rule((value) => typeof value === 'string' && words.includes(value), code, { allowed: words.join(', ') })

const text = (maximum: number): AttributeRule =>
  rule((value) => typeof value === 'string' && value.length <= maximum && isStorable(value), 'bad_text', { maximum })

const matching = (pattern: RegExp, code: AttributeProblem): AttributeRule =>
  rule((value) => typeof value === 'string' && pattern.test(value), code)

const hex = orNull(matching(/^#[0-9a-f]{6}$/i, 'bad_color'))
const id = orNull(matching(/^[\w-]{1,64}$/, 'bad_id'))
const link = rule(isLinkAddress, 'bad_link')
const linkOrEmpty: AttributeRule = (value) => (value === '' ? null : link(value))
const picture = orNull(rule(isPictureAddress, 'bad_picture'))
const direction = orNull(choice(directions))
const indent = integer(0, maximumIndent)
const textAlign = orNull(choice(alignments))
const widths = orNull(
  rule(
    (value) =>
      Array.isArray(value) &&
      value.length <= 20 &&
      value.every((width) => width === null || (Number.isInteger(width) && width >= 0 && width <= 2000)),
    'bad_number',
    { minimum: 0, maximum: 2000 },
  ),
)
const planIds = (least: number): AttributeRule =>
  rule(
    (value) =>
      Array.isArray(value) &&
      value.length >= least &&
      value.length <= mostPlans &&
      new Set(value).size === value.length &&
      value.every((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647),
    'bad_plans',
    { maximum: mostPlans },
  )
/** Whatever somebody says that stood in a slot: it is not kept. */
const notKept: AttributeRule = () => null
const someReaders = choice(['paid', 'free', ...surfaces])
const cell = {
  colspan: integer(1, 20),
  rowspan: integer(1, 200),
  colwidth: widths,
  align: orNull(choice(['left', 'center', 'right'])),
}

/** A rule for every attribute of every node; a test compares this table with the schema. */
export const nodeAttributeRules: Readonly<Record<string, Readonly<Record<string, AttributeRule>>>> = {
  paragraph: { textAlign, indent, dir: direction },
  heading: { textAlign, indent, dir: direction, level: integer(1, 6) },
  blockquote: { dir: direction },
  bulletList: { dir: direction },
  orderedList: { dir: direction, start: integer(0, 1_000_000), type: orNull(choice(['1', 'a', 'A', 'i', 'I'])) },
  listItem: { indent, dir: direction },
  codeBlock: { language: orNull(matching(/^[\w+#.-]{1,40}$/, 'bad_text')) },
  table: { dir: direction },
  tableCell: cell,
  tableHeader: cell,
  image: {
    mediaId: id,
    src: picture,
    alt: text(1000),
    caption: text(1000),
    width: choice(imageWidths),
    href: orNull(link),
  },
  video: {
    url: rule(
      (value) => typeof value === 'string' && value.length <= 2000 && videoAddress(value) !== null,
      'bad_video',
    ),
    provider: choice(videoProviders),
    posterMediaId: id,
    posterSrc: picture,
    title: text(300),
  },
  mergeTag: { field: matching(/^[a-z][a-z0-9_]{0,39}$/, 'bad_field'), fallback: text(200) },
  footnote: { note: rule(isNoteText, 'bad_note', { maximum: noteLimits.characters }) },
  button: { label: text(200), href: linkOrEmpty, align: choice(buttonAligns) },
  divider: { kind: choice(dividerKinds) },
  callout: { dir: direction, tone: choice(calloutTones) },
  paywall: { plans: planIds(0) },
  sponsorSlot: {
    placementId: integer(1, 2_147_483_647),
    hideFromPaid: rule((value) => typeof value === 'boolean', 'bad_choice', { allowed: 'true, false' }),
    filled: notKept,
  },
  onlyFor: { for: (value) => (Array.isArray(value) ? planIds(1)(value) : someReaders(value)) },
}

/** A rule for every attribute of every mark. */
export const markAttributeRules: Readonly<Record<string, Readonly<Record<string, AttributeRule>>>> = {
  link: {
    href: link,
    target: orNull(choice(['_blank'])),
    rel: orNull(choice(['noopener noreferrer', 'noopener noreferrer nofollow'])),
    class: rule((value) => value === null, 'bad_choice'),
    title: orNull(text(300)),
  },
  textStyle: {
    size: orNull(choice(textSizes, 'bad_size')),
    color: hex,
    backgroundColor: hex,
    font: orNull(choice(faceKeys, 'bad_font')),
  },
}
