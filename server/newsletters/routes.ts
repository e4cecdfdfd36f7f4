import { addLine } from '../audit/lines.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { hiddenKey, networkOf, SharedLimit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Role } from '../permissions.ts'
import type { WithRelays } from '../relays/relays.ts'
import { listKeys, makeKey, revokeKey } from './api-keys.ts'
import * as contract from './contract.ts'
import { whoIsHurt } from './deletion.ts'
import { suggestHandle } from './handle.ts'
import { accept, InvitationLimits, invite, listOpen, show, withdraw } from './invitations.ts'
import { MailPermissions } from './mail-permission.ts'
import { giveRole, listPeople, removedFrom, removePerson } from './members.ts'
import { findMembership } from './membership.ts'
import {
  begin,
  change,
  close,
  countActive,
  deletedOf,
  isBranding,
  listOf,
  present,
  presentDetail,
  restore,
  sameIn,
} from './newsletter.ts'
import { askForProof, countAttempt, giveProof, presentSenders } from './sender-proof.ts'

const done = { done: true } as const

export function newsletterRoutes(context: WithRelays): Route[] {
  return [...settingsRoutes(context), ...senderRoutes(context), ...memberRoutes(context), ...keyRoutes(context)]
}

function settingsRoutes(context: WithRelays): Route[] {
  const { db, config } = context
  const mailPermissions = new MailPermissions(context)
  const shown = async (newsletter: NewsletterRow, role: Role) =>
    present(context, newsletter, { role, mayMail: await mailPermissions.mayMail(newsletter.id) })
  return [
    on(contract.listNewsletters, async ({ user }) => {
      const mine = await listOf(db, user.id)
      const active = await countActive(
        db,
        mine.map(({ newsletter }) => newsletter.id),
      )
      const detail = async ({ newsletter, role }: (typeof mine)[number]) =>
        presentDetail(config, newsletter, {
          role,
          subscribers: active.get(newsletter.id) ?? 0,
          mayMail: await mailPermissions.mayMail(newsletter.id),
        })
      return {
        newsletters: await Promise.all(mine.map(detail)),
        deleted: await deletedOf(db, user.id),
        removedFrom: await removedFrom(db, user.id),
      }
    }),
    on(contract.createNewsletter, async ({ user, body }) => shown(await begin(db, user, body), 'owner')),
    on(contract.getNewsletter, ({ newsletter, role }) => shown(newsletter, role)),
    on(contract.updateNewsletter, async ({ newsletter, role, may, body, auditLine }) => {
      if (!may('newsletter.write') && !isBranding(body)) throw new AppError('forbidden')
      await auditLine?.forget(sameIn(newsletter, body))
      const changed = await change(context, newsletter.id, body)
      return shown(changed, role)
    }),
    on(contract.readHandle, async ({ newsletter }) => ({ suggestion: await suggestHandle(db, newsletter.name) })),
    on(contract.readDeletion, ({ newsletterId }) => whoIsHurt(context, newsletterId)),
    on(contract.deleteNewsletter, async ({ newsletterId, auditLine }) => {
      if (!(await close(db, newsletterId))) await auditLine?.drop()
      return done
    }),
    on(contract.restoreNewsletter, async ({ user, body, request }) => {
      const restored = await restore(db, body.newsletterId, user.id)
      const line = { newsletterId: restored.id, act: 'newsletter_restored', actor: 'member', userId: user.id } as const
      await addLine(db, { ...line, network: networkOf(request.ip) })
      return shown(restored, 'owner')
    }),
  ]
}

function senderRoutes(context: WithRelays): Route[] {
  const { db, pool, signer } = context
  const limits = {
    newsletter: new SharedLimit(pool, { name: 'sender mails of newsletter', points: 10, seconds: 3600 }),
    user: new SharedLimit(pool, { name: 'sender mails of user', points: 20, seconds: 3600 }),
    address: new SharedLimit(pool, { name: 'sender mails to address', points: 5, seconds: 24 * 3600 }),
  }
  const attempts = new SharedLimit(pool, { name: 'sender codes', points: 60, seconds: 3600 })
  return [
    on(contract.listSenders, ({ newsletter }) => presentSenders(context, newsletter)),
    on(contract.askForProof, async ({ newsletter, userId, body, request }) => {
      if (userId === null) throw new AppError('key_cannot')
      if (request.caller?.user?.isAnonymous) throw new AppError('anonymous_cannot')
      await limits.newsletter.take(newsletter.id)
      await limits.user.take(userId)
      // Over all newsletters. Whoever asks does not learn that others have.
      const mailed = await limits.address.admits(hiddenKey(signer, body.address.toLowerCase()))
      await askForProof(context, newsletter, { ...body, mailed })
      return done
    }),
    on(contract.giveProof, async ({ newsletterId, body }) => {
      await attempts.take(newsletterId)
      await countAttempt(db, newsletterId, body.address)
      await giveProof(db, newsletterId, body)
      return done
    }),
  ]
}

function memberRoutes(context: WithRelays): Route[] {
  const { db } = context
  const mailPermissions = new MailPermissions(context)
  const limits = new InvitationLimits(context)
  return [
    on(contract.listMembers, async ({ newsletterId }) => ({
      members: await listPeople(db, newsletterId),
      invitations: await listOpen(db, newsletterId),
    })),
    on(contract.inviteMember, async ({ newsletter, userId, mayGrant, body, request }) => {
      if (userId === null) throw new AppError('key_cannot')
      if (request.caller?.user?.isAnonymous) throw new AppError('anonymous_cannot')
      if (!mayGrant(body.role)) throw new AppError('forbidden')
      await mailPermissions.require(newsletter.id)
      await limits.require(newsletter.id, userId)
      const mailed = await limits.mayMail(body.email)
      return invite(context, newsletter, { ...body, inviterId: userId, mailed })
    }),
    on(contract.withdrawInvitation, async ({ newsletterId, params, auditLine }) => {
      auditLine?.note(await withdraw(db, newsletterId, params.invitationId))
      return done
    }),
    on(contract.changeRole, async ({ newsletterId, userId, mayGrant, params, body }) => {
      refuseKey(userId)
      if (!mayGrant(body.role)) throw new AppError('forbidden')
      await refuseAboveOwn({ newsletterId, userId: params.userId }, mayGrant)
      await giveRole(db, newsletterId, { userId: params.userId, role: body.role })
      return done
    }),
    on(contract.removeMember, async ({ newsletter, newsletterId, may, mayGrant, userId, params, auditLine }) => {
      refuseKey(userId)
      if (params.userId !== userId) {
        if (!may('members.manage')) throw new AppError('forbidden')
        await refuseAboveOwn({ newsletterId, userId: params.userId }, mayGrant)
      }
      await removePerson(db, newsletterId, params.userId)
      // By which they know it, whatever becomes of it afterwards.
      auditLine?.note({ newsletter: newsletter.name })
      return done
    }),
    on(contract.showInvitation, ({ params }) => show(db, params.token)),
    on(contract.acceptInvitation, ({ params, user, request }) =>
      accept(context, params.token, { user, network: networkOf(request.ip) }),
    ),
  ]

  /** Nobody takes from a member what they could not give. @throws AppError forbidden */
  async function refuseAboveOwn(member: { newsletterId: string; userId: string }, mayGrant: (role: Role) => boolean) {
    const membership = await findMembership(db, member.newsletterId, member.userId)
    if (membership && !mayGrant(membership.role)) throw new AppError('forbidden')
  }
}

/** A stolen key must not make further access that outlives the key. @throws AppError key_cannot */
function refuseKey(userId: string | null): void {
  if (userId === null) throw new AppError('key_cannot')
}

function keyRoutes({ db }: Context): Route[] {
  return [
    on(contract.listApiKeys, async ({ newsletterId }) => ({ keys: await listKeys(db, newsletterId) })),
    on(contract.createApiKey, ({ newsletterId, userId, mayGrant, body }) => {
      if (userId === null) throw new AppError('key_cannot')
      if (!mayGrant(body.role)) throw new AppError('forbidden')
      return makeKey(db, newsletterId, { ...body, userId })
    }),
    on(contract.revokeApiKey, async ({ newsletterId, params, auditLine }) => {
      auditLine?.note(await revokeKey(db, newsletterId, params.keyId))
      return done
    }),
  ]
}
