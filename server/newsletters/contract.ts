import { z } from 'zod'
import { Currency } from '../charge/currency.ts'
import { Done, endpoint, line, Newsletter } from '../http/endpoint.ts'
import { languages } from '../languages.ts'
import { Role } from '../permissions.ts'

const timezone = z.string().min(1).max(64)
const email = z.email().max(254)
const handle = z
  .string()
  .min(2)
  .max(40)
  .regex(/^[a-z0-9](-?[a-z0-9])+$/)

/** `counted`: how many, and not who. */
const ReaderPrivacy = z.enum(['off', 'counted', 'person'])
const AddressPolicy = z.enum(['accept', 'confirm', 'refuse'])

export const NewsletterSettings = z.object({
  name: line(120),
  handle: handle.nullable(),
  description: z.string().trim().max(500),
  senderName: line(120),
  senderAddress: email.nullable(),
  replyTo: email.nullable(),
  postalAddress: z.string().trim().max(300),
  language: z.enum(languages),
  timezone,
  currency: Currency,
  accent: z.string().regex(/^#[0-9A-Fa-f]{6}$/),
  pairing: z.enum(['gazette', 'affiche', 'revue', 'registre', 'systeme']),
  logoMediaId: z.string().max(20).nullable(),
  /** This number of soft bounces, of different publications within 90 days, counts as a hard bounce. */
  softBounceLimit: z.int().min(1).max(50),
  /** For so long, what was sent now can be taken back before anything leaves. */
  takeBackSeconds: z.int().min(0).max(60),
  /** `single`: who fills in the page is subscribed at once, without a mail to confirm. */
  optIn: z.enum(['double', 'single']),
  /** Such as `info@`, which several people read. `confirm`: also with `single`. */
  roleAddresses: AddressPolicy,
  /** Of services that lend an address for some minutes. */
  disposableAddresses: AddressPolicy,
  /** What is kept of clicks and of opens (docs/decisions/privacy-modes.md). */
  clickPrivacy: ReaderPrivacy,
  openPrivacy: ReaderPrivacy,
  /** Whether subscribers may choose a digest of a week or month (docs/decisions/digests.md). */
  digests: z.boolean(),
  /** In the newsletter's timezone. */
  digestHour: z.int().min(0).max(23),
  /** Of the weekly one; 1 is Monday. */
  digestWeekday: z.int().min(1).max(7),
})

export const settingNames = Object.keys(NewsletterSettings.shape) as (keyof typeof NewsletterSettings.shape)[]

export const NewsletterDetail = NewsletterSettings.extend({
  id: z.string(),
  role: Role,
  createdAt: z.iso.datetime(),
  subscribers: z.int(),
  logoUrl: z.string().nullable(),
  urls: z.object({ subscribe: z.string(), archive: z.string(), feed: z.string() }),
  /** Since when clicks, who clicked, and who opened, are kept, where the settings keep them; null: ever since there is the newsletter. */
  clicksSince: z.iso.datetime().nullable(),
  clickersSince: z.iso.datetime().nullable(),
  openersSince: z.iso.datetime().nullable(),
  /** Whether mail leaves, or is caught: not while an owner has yet to prove an address. Till then the subscribe page is closed. */
  mayMail: z.boolean(),
  /** The address that publications are sent from once it is proven: the sender address, or the instance's own while none is set. */
  effectiveSender: z.string(),
})

const DeletedNewsletter = z.object({
  id: z.string(),
  name: z.string(),
  /** Only owners can restore it. */
  role: Role,
  keptUntil: z.iso.datetime(),
  /** Whether an owner is left. */
  owned: z.boolean(),
})

const LeftNewsletter = z.object({ id: z.string(), name: z.string() })

export const listNewsletters = endpoint('GET /api/newsletters', {
  access: 'user',
  summary:
    'The newsletters the signed-in user is a member of, those of them that were deleted and are still kept, and those that somebody removed the user from within 30 days',
  reply: z.object({
    newsletters: z.array(NewsletterDetail),
    deleted: z.array(DeletedNewsletter),
    removedFrom: z.array(LeftNewsletter),
  }),
})

export const createNewsletter = endpoint('POST /api/newsletters', {
  access: 'user',
  makes: 'newsletters',
  summary: 'Create a newsletter and become its owner',
  body: NewsletterSettings.pick({ name: true, language: true, timezone: true, currency: true }).extend({
    description: NewsletterSettings.shape.description.default(''),
    accent: NewsletterSettings.shape.accent.optional(),
  }),
  reply: NewsletterDetail,
  errors: ['invalid', 'too_many_newsletters', 'too_many_requests'],
})

export const getNewsletter = endpoint('GET /api/newsletters/:newsletterId', {
  permission: 'newsletter.read',
  summary: 'One newsletter',
  params: Newsletter,
  reply: NewsletterDetail,
})

export const updateNewsletter = endpoint('PATCH /api/newsletters/:newsletterId', {
  permission: 'branding.write',
  summary: 'Change a newsletter’s settings',
  params: Newsletter,
  body: NewsletterSettings.partial(),
  reply: NewsletterDetail,
  errors: ['handle_taken', 'slug_reserved', 'sender_reserved', 'sender_taken', 'media_not_found'],
  audit: { act: 'settings_changed', keeps: settingNames },
})

export const readHandle = endpoint('GET /api/newsletters/:newsletterId/handle', {
  permission: 'newsletter.write',
  summary: 'A handle made from the newsletter’s name that is free now',
  params: Newsletter,
  reply: z.object({ suggestion: z.string().nullable() }),
})

export const listSenders = endpoint('GET /api/newsletters/:newsletterId/senders', {
  permission: 'newsletter.read',
  summary: 'The addresses that mail is sent from and answered to, and how each is proven',
  params: Newsletter,
  reply: z.object({
    senders: z.array(
      z.object({
        address: z.string(),
        /** An owner’s own address, a DKIM record of its domain, or a code that was mailed there; null while it is not proven. */
        proof: z.enum(['own', 'domain', 'mail']).nullable(),
      }),
    ),
    /** False while mail is caught: nothing leaves, so nothing has to be proven. */
    needed: z.boolean(),
    /** Of mail that must not wait, such as confirmations: the sender address once it is proven, till then the instance’s own. */
    comesFrom: z.string(),
    /** Publications that are scheduled to be mailed, and when the first of them leaves: not unless every address is proven by then. */
    scheduled: z.object({ count: z.int(), first: z.iso.datetime().nullable() }),
  }),
})

const senderAddress = z.object({ address: email })

export const askForProof = endpoint('POST /api/newsletters/:newsletterId/senders/code', {
  permission: 'newsletter.write',
  summary:
    'Mail a code to the sender address or the reply address, which proves it for a day; the answer is always the same',
  params: Newsletter,
  body: senderAddress,
  reply: Done,
  errors: ['not_found', 'key_cannot', 'anonymous_cannot', 'too_many_requests'],
})

export const giveProof = endpoint('POST /api/newsletters/:newsletterId/senders/proof', {
  permission: 'newsletter.write',
  summary: 'Prove an address by the code that was mailed to it',
  params: Newsletter,
  body: senderAddress.extend({ code: z.string().min(1).max(40) }),
  reply: Done,
  errors: ['code_wrong', 'sender_taken', 'too_many_requests'],
  audit: { act: 'sender_proven', keeps: ['address'] },
})

export const readDeletion = endpoint('GET /api/newsletters/:newsletterId/deletion', {
  permission: 'newsletter.delete',
  summary: 'Whom it would hurt to delete the newsletter now',
  params: Newsletter,
  reply: z.object({
    /** Subscribers who have a paid plan until later, or for good: paid, as a gift or for nothing. */
    paidAhead: z.int(),
    /** Bookings of sponsors that are invoiced or paid, and have not run. */
    bookings: z.int(),
    /** Bookings that are accepted, and neither invoiced nor paid. */
    accepted: z.int(),
    /** Publications that are scheduled. */
    scheduled: z.int(),
    /** Opt-in campaigns that run. */
    campaigns: z.int(),
  }),
})

export const deleteNewsletter = endpoint('DELETE /api/newsletters/:newsletterId', {
  permission: 'newsletter.delete',
  summary: 'Delete a newsletter: its pages close at once, its data stays 30 days and can be restored',
  params: Newsletter,
  reply: Done,
  audit: { act: 'newsletter_closed' },
})

export const restoreNewsletter = endpoint('POST /api/me/newsletters/restore', {
  access: 'user',
  summary: 'Undo the deletion of a newsletter that one owned',
  body: z.object({ newsletterId: z.string() }),
  reply: NewsletterDetail,
  errors: ['newsletter_not_found'],
})

const Member = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  since: z.iso.datetime(),
})
const Invitation = z.object({ id: z.string(), email: z.string(), role: Role, expiresAt: z.iso.datetime() })

export const listMembers = endpoint('GET /api/newsletters/:newsletterId/members', {
  permission: 'members.read',
  summary: 'The people who run a newsletter, and those invited',
  params: Newsletter,
  reply: z.object({ members: z.array(Member), invitations: z.array(Invitation) }),
})

export const inviteMember = endpoint('POST /api/newsletters/:newsletterId/invitations', {
  permission: 'members.manage',
  cost: 'mail',
  makes: 'invitations',
  summary: 'Invite somebody by email; the link in the mail lasts seven days',
  params: Newsletter,
  body: z.object({ email, role: Role }),
  /** `link` is there only while mail is caught on this machine, because nobody would receive the mail. */
  reply: Invitation.extend({ link: z.string().nullable() }),
  errors: [
    'already_member',
    'anonymous_cannot',
    'key_cannot',
    'owner_unconfirmed',
    'too_many_invitations',
    'too_many_requests',
  ],
  audit: { act: 'member_invited', keeps: ['email', 'role'] },
})

const oneInvitation = Newsletter.extend({ invitationId: z.string() })
export const withdrawInvitation = endpoint('DELETE /api/newsletters/:newsletterId/invitations/:invitationId', {
  permission: 'members.manage',
  summary: 'Withdraw an invitation',
  params: oneInvitation,
  reply: Done,
  errors: ['invitation_not_found'],
  audit: { act: 'invitation_withdrawn' },
})

export const changeRole = endpoint('PATCH /api/newsletters/:newsletterId/members/:userId', {
  permission: 'members.manage',
  summary: 'Change a member’s role; the last owner stays owner',
  params: Newsletter.extend({ userId: z.string() }),
  body: z.object({ role: Role }),
  reply: Done,
  errors: ['last_owner', 'key_cannot'],
  audit: { act: 'member_role_changed', keeps: ['role'] },
})

export const removeMember = endpoint('DELETE /api/newsletters/:newsletterId/members/:userId', {
  permission: 'newsletter.read',
  summary: 'Remove a member (owners), or leave (anyone, oneself)',
  params: Newsletter.extend({ userId: z.string() }),
  reply: Done,
  errors: ['last_owner', 'forbidden', 'key_cannot'],
  audit: { act: 'member_removed' },
})

/** A text of another form is not a token. */
const token = z.object({ token: z.string().max(500) })
export const showInvitation = endpoint('GET /api/invitations/:token', {
  access: 'public',
  summary: 'What an invitation is for',
  params: token,
  reply: z.object({ newsletterName: z.string(), email: z.string(), role: Role }),
  errors: ['invitation_not_found'],
})

export const acceptInvitation = endpoint('POST /api/invitations/:token/accept', {
  access: 'user',
  summary: 'Become a member, with the account of the address that was invited',
  params: token,
  reply: z.object({ newsletterId: z.string() }),
  errors: ['invitation_not_found', 'anonymous_cannot', 'invitation_for_another', 'address_unproven'],
})

const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  /** Whoever made it. It ends with their membership, and allows no more than their present role. */
  maker: z.object({ userId: z.string(), name: z.string(), role: Role }),
  prefix: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Where it was last used from, shortened: an IPv4 /24 or an IPv6 /48. */
  lastNetwork: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
})

export const listApiKeys = endpoint('GET /api/newsletters/:newsletterId/api-keys', {
  permission: 'keys.manage',
  summary: 'API keys, without their secrets',
  params: Newsletter,
  reply: z.object({ keys: z.array(ApiKey) }),
})

export const createApiKey = endpoint('POST /api/newsletters/:newsletterId/api-keys', {
  permission: 'keys.manage',
  makes: 'apiKeys',
  summary: 'Make an API key; the secret is shown once',
  freshProof: true,
  params: Newsletter,
  body: z.object({
    name: line(80),
    role: Role,
    expiresAt: z.iso.datetime().nullable().default(null),
  }),
  reply: ApiKey.extend({ secret: z.string() }),
  errors: ['too_many_api_keys', 'too_many_requests', 'key_cannot'],
  audit: { act: 'api_key_made', keeps: ['name', 'role'] },
})

export const revokeApiKey = endpoint('DELETE /api/newsletters/:newsletterId/api-keys/:keyId', {
  permission: 'keys.manage',
  summary: 'Revoke an API key',
  params: Newsletter.extend({ keyId: z.string() }),
  reply: Done,
  errors: ['not_found'],
  audit: { act: 'api_key_revoked' },
})
