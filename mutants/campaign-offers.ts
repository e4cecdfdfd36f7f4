import type { Mutant } from './mutant.ts'

const campaigns = 'docs/campaigns.md'
const decisions = 'docs/decisions/opt-in-campaigns.md'
const beneficiary = 'server/campaigns/opt-in/beneficiary.ts'
const tell = 'server/campaigns/opt-in/tell-offer.job.ts'
const tests = ['server/campaigns/opt-in/offers.test.ts']

/** Whom a campaign would bring readers hears of it once, and agrees to words. */
export const campaignOfferMutants: Mutant[] = [
  {
    name: 'campaign offer: other words run with the old yes',
    promise: { in: campaigns, says: 'they are asked anew, and no reader is asked until they agree' },
    file: beneficiary,
    find: '!last.acceptedAt || !isChanged || ',
    replace: 'acceptedAt || ',
    tests,
  },
  {
    name: 'campaign offer: another colour needs a new yes',
    promise: { in: decisions, says: 'Only words count' },
    file: beneficiary,
    find: 'const isChanged = !sameWords(after.words, before.words)',
    replace: 'const isChanged = after.version !== before.version',
    tests,
  },
  {
    name: 'campaign offer: whoever may answer for both is asked',
    promise: { in: campaigns, says: 'Whoever may answer for both newsletters agrees by writing' },
    file: beneficiary,
    find: '|| (await agreesFor(tx, toNewsletterId, userId))',
    replace: '',
    tests,
  },
  {
    name: 'campaign offer: an editor of the other newsletter answers by writing',
    promise: { in: campaigns, says: 'Whoever may answer for both newsletters agrees by writing' },
    file: beneficiary,
    find: "may(membership.role, 'newsletter.write')",
    replace: "may(membership.role, 'campaigns.write')",
    tests,
  },
  {
    name: 'campaign offer: each change is mailed',
    promise: { in: campaigns, says: 'are mailed once, each in their language' },
    file: beneficiary,
    find: 'const asks = askedAt === null && ',
    replace: 'const asks = ',
    tests,
  },
  {
    name: 'campaign offer: changed words are mailed to nobody',
    promise: { in: decisions, says: 'those who may answer are mailed once' },
    file: beneficiary,
    find: 'const askedAt = acceptedAt ? null : last.askedAt',
    replace: 'const askedAt = last.askedAt',
    tests,
  },
  {
    name: 'campaign offer: a draft is mailed about',
    promise: { in: campaigns, says: 'not about a draft' },
    file: 'server/campaigns/opt-in/queries.ts',
    find: "return state === 'waiting' || state === 'scheduled'",
    replace: "return state === 'waiting' || state === 'scheduled' || state === 'draft'",
    tests,
  },
  {
    name: 'campaign offer: everybody of the other newsletter is mailed',
    promise: { in: campaigns, says: 'Those who may answer for it' },
    file: tell,
    find: "membersToMail(tx, newsletter, 'newsletter.write')",
    replace: "membersToMail(tx, newsletter, 'newsletter.read')",
    tests,
  },
  {
    name: 'campaign offer: addresses that nobody proved are mailed',
    promise: { in: 'server/newsletters/members-to-mail.ts', says: 'proved their address' },
    file: 'server/newsletters/members-to-mail.ts',
    find: ' and u.email_verified',
    replace: '',
    tests,
  },
  {
    name: 'campaign offer: one newsletter mails another without end',
    promise: { in: decisions, says: 'one pair makes four a day at most' },
    file: tell,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    find: '(await ofPair.admits(`${from} ${to}`)) &&\n',
    replace: '',
    tests,
  },
  {
    name: 'campaign offer: a newsletter that may not mail causes mails',
    promise: { in: decisions, says: 'A newsletter that may not send mail causes none' },
    file: tell,
    find: '(await permissions.mayMail(from)) &&\n',
    replace: '',
    tests,
  },
  {
    name: 'campaign offer: words are agreed to unread',
    promise: { in: decisions, says: 'other words are refused' },
    file: 'server/campaigns/opt-in/offers.ts',
    find: '!(await areWordsOf(tx, campaign, version))',
    replace: '!(await areWordsOf(tx, campaign, campaign.version))',
    tests,
  },
  {
    name: 'campaign offer: a no is asked again by other words',
    promise: { in: campaigns, says: 'A no stays a no, whatever the words become' },
    file: 'server/campaigns/opt-in/queries.ts',
    find: 'acceptedAt || declinedAt || Object.keys(words)',
    replace: 'acceptedAt || Object.keys(words)',
    tests,
  },
]
