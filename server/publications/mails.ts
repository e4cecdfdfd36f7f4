import type { ThreadJob } from '../jobs/threads.ts'
import type { Language } from '../languages.ts'
import { type MailBody, mailBody } from '../mail/mime/mail-body.ts'
import type { Marks } from '../mail/mime/segments.ts'
import { storedDocument } from './content.ts'
import type { Gate } from './document/gate-nodes.ts'
import { collectLinks, collectMergeTags } from './document/links.ts'
import { sponsorLinks } from './document/sponsor-slots.ts'
import { type Access, gatesOf, shownOn } from './document/visible.ts'
import { type Personal, parsed, type RenderableText, renderMail, type Site } from './rendering.ts'

/** `Personal` as plain data: what stands in the mail for each address and merge tag of its document. */
export interface PersonalText
  extends Pick<Personal, 'unsubscribeAddress' | 'dataAddress' | 'readAddress' | 'pixelAddress' | 'canaryAddress'> {
  links: Map<string, string>
  /** Those of sponsors, by the id of their short link. */
  sponsorLinks: Map<string, string>
  /** By `mergeTagKey`. */
  mergeTags: Map<string, string>
}

/** What differs between recipients in a document. */
interface PersonalParts {
  /** Every address that leads to the web. */
  targets: string[]
  sponsors: { linkId: string; target: string }[]
  mergeTags: { field: string; fallback: string }[]
  gates: Gate[]
}

/** Of the mails of a document as JSON. */
export const personalPartsJob: ThreadJob<string, PersonalParts> = {
  name: 'personal parts',
  run(content) {
    const document = shownOn(storedDocument(JSON.parse(content)), 'email')
    return {
      targets: collectLinks(document),
      sponsors: sponsorLinks(document),
      mergeTags: collectMergeTags(document),
      gates: gatesOf(document),
    }
  },
}

export const mergeTagKey = (...parts: Parameters<Personal['mergeTag']>): string => parts.join(' ')

interface MailsInput {
  site: Site
  publication: RenderableText
  personal: PersonalText
  /** Those that `personal` contains. */
  marks: Marks
  readerLanguages: readonly Language[]
  access: Access
}

/** The body of the mail that readers with this access get, for each language of the words around the publication. */
export const mailsJob: ThreadJob<MailsInput, Map<Language, MailBody>> = {
  name: 'mails',
  run({
    site,
    publication,
    personal: { links, sponsorLinks: ofSponsors, mergeTags, ...addresses },
    marks,
    readerLanguages,
    access,
  }) {
    const rendered = parsed(publication, access, 'email')
    const personal: Personal = {
      ...addresses,
      link: (href, linkId) => (linkId ? ofSponsors.get(linkId) : links.get(href)) ?? href,
      mergeTag: (...parts) => mergeTags.get(mergeTagKey(...parts)) ?? parts[2],
    }
    return new Map(
      readerLanguages.map((readerLanguage) => [
        readerLanguage,
        mailBody(renderMail(site, rendered, { personal, readerLanguage }), marks),
      ]),
    )
  },
}
