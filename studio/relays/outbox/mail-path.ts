import { studioPaths } from '../../../server/http/studio-paths.ts'

/** The page on which one caught mail is read. */
export const mailPath = (mailId: string) => `${studioPaths.outbox}?mail=${encodeURIComponent(mailId)}`

/** The page on which the newest caught mail with these words in its address or subject is read. */
export const newestMailPath = (words: string) => `${studioPaths.outbox}?newest=${encodeURIComponent(words)}`
