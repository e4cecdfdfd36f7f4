import { testRecipientId } from '../database/ids.ts'

/** The picture that is asked for in its place: the same one, and no request. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/**
 * A part of a mail as a member reads it here: nothing in it counts as a reader’s. Its pixel asks for nothing, and its short links lead where
 * they led, as those of a test mail. Where they are stands in the text, in whatever way the mail was sent and whatever its newsletter keeps.
 *
 * @param part HTML or plain text of a mail of this server, decoded
 */
export function uncounted(part: string, { publicUrl }: { publicUrl: string }): string {
  const origin = RegExp.escape(publicUrl)
  const pixel = new RegExp(`${origin}/o/[\\w-]+/[\\w-]+(?:/[\\w-]+)?\\.gif`, 'g')
  const shortLink = new RegExp(`(${origin}/(?:r|redirect)/[\\w-]+)(?:\\?s=[\\w-]+)?(\\?)?`, 'g')
  const reader = `?s=${testRecipientId()}`
  return part
    .replaceAll(pixel, PIXEL)
    .replaceAll(shortLink, (_, link: string, more?: string) => link + reader + (more ? '&' : ''))
}
