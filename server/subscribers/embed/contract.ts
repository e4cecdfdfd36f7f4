import { z } from 'zod'
import { endpoint, Newsletter } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'

export const getEmbed = endpoint('GET /api/newsletters/:newsletterId/subscribers/form', {
  permission: 'newsletter.read',
  summary: 'A form to subscribe, as HTML for other sites',
  params: Newsletter,
  query: z.object({ language: z.enum(languages) }),
  reply: z.object({
    /** Works without a script: it leads to the subscribe page. */
    html: z.string(),
    /** After the form it answers in place. */
    script: z.string(),
  }),
})
