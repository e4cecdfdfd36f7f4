import { wordsIn } from '../../publications/document/words-in.ts'
import { type Booking, Creative } from '../bookings/contract.ts'
import { leadsReaders } from '../bookings/target.ts'
import type { ImageProblem } from './sponsor-images.ts'

/** The fields of the form in which a sponsor says something, in their order. */
const creativeFields = ['name', 'text', 'label', 'target', 'image', 'alt'] as const
export type CreativeField = (typeof creativeFields)[number]

/** What is wrong, by field: the key below `sponsors.own.problem` of the sentence that says it. */
export type CreativeProblems = Partial<
  Record<CreativeField, CreativeField | 'missing' | 'unseen' | 'again' | 'leads' | 'no_image' | `image_${ImageProblem}`>
>

interface Sent {
  typed: Readonly<Record<string, string>>
  /** Whether a new image came with it. */
  hasFile: boolean
  /** The id of the image that is here: held for these words, or of what they said before. It stays unless it is replaced or left out. */
  here: string | null
  booking: Pick<Booking, 'maxWords' | 'takesImage'>
}

interface Judged {
  /** Without the image, whose id is not known yet. Null when something is wrong. */
  words: Omit<Creative, 'image'> | null
  /** What the image shows. */
  alt: string
  /** What becomes of the image. */
  image: 'new' | 'here' | 'none'
  problems: CreativeProblems
}

/** Whether a sponsor's words can be taken as they were typed. Nothing in a form can name an image: it is sent, or was here before. */
export function judgeCreative({ typed, hasFile, here, booking }: Sent): Judged {
  const tidy = (name: string) => (typed[name] ?? '').replaceAll('\r\n', '\n').replaceAll('\t', ' ')
  const leavesOut = typed.leaveOut === 'yes'
  const image = !booking.takesImage ? 'none' : hasFile ? 'new' : here && !leavesOut ? 'here' : 'none'
  const alt = tidy('alt').trim()
  const read = Creative.safeParse({
    ...{ name: tidy('name'), text: tidy('text'), label: tidy('label'), target: tidy('target').trim() },
    // Any id will do to judge what stands beside it.
    image: image === 'none' ? null : { mediaId: 'unknown', alt },
  })
  const problems: CreativeProblems = {}
  for (const issue of read.error?.issues ?? []) {
    const name = issue.path[0] === 'image' ? 'alt' : creativeFields.find((one) => one === issue.path[0])
    const isUnseen = issue.code === 'invalid_format' && issue.format === 'regex'
    const isMissing = name !== 'alt' && name !== undefined && tidy(name).trim() === ''
    if (name) problems[name] ??= isMissing ? 'missing' : isUnseen ? 'unseen' : name
  }
  if (wordsIn(typed.text ?? '') > booking.maxWords) problems.text ??= 'text'
  if (read.success && !leadsReaders(read.data.target)) problems.target = 'leads'
  if (hasFile && !booking.takesImage) problems.image = 'image'
  if (alt && image === 'none' && booking.takesImage && !leavesOut) problems.image = 'no_image'
  const isRight = Object.keys(problems).length === 0
  return { words: isRight && read.success ? withoutImage(read.data) : null, alt, image, problems }
}

const withoutImage = ({ image: _image, ...words }: Creative): Omit<Creative, 'image'> => words
