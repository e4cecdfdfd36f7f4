import { AppError } from '../errors.ts'

const FRESH_MS = 10 * 60_000

interface Proven {
  user: { isAnonymous: boolean } | null
  session: { provenAt: Date } | null
}

/**
 * Refuses what must not be done at a browser that somebody left open, unless its user has proven who they are within ten minutes. API
 * keys pass, because they are no browser; guests pass, because they have nothing to prove with.
 *
 * @throws AppError proof_needed
 */
export function requireFreshProof(caller: Proven, now: Date): void {
  if (!caller.user || caller.user.isAnonymous || !caller.session) return
  if (now.getTime() - caller.session.provenAt.getTime() > FRESH_MS) throw new AppError('proof_needed')
}
