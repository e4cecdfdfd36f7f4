import type { Mutant } from './mutant.ts'

const taking = 'server/identity/taking-back.test.ts'
const codes = 'server/identity/two-factor.test.ts'

export const identityMutants: Mutant[] = [
  {
    name: 'a password works before its address is proven',
    promise: { in: 'server/identity/new-session.ts', says: 'It refuses a password whose address is not proven' },
    file: 'server/identity/new-session.ts',
    find: "if (call?.path === '/sign-in/email' && user && !user.email_verified) {",
    replace: "if (call?.path === '/sign-in/email' && user === undefined) {",
    tests: [taking],
  },
  {
    name: 'taking back leaves the password',
    promise: {
      in: 'server/identity/take-back.ts',
      says: 'Its password, second factor and linked accounts end as well',
    },
    file: 'server/identity/take-back.ts',
    find: "deleteFrom('account').where('user_id', '=', userId)",
    replace: "deleteFrom('account').where('user_id', '=', 'nobody')",
    tests: [taking],
  },
  {
    name: 'the mail alone confirms an address',
    promise: {
      in: 'server/identity/routes.ts',
      says: 'The mail alone does not show that its reader opened the account',
    },
    file: 'server/identity/routes.ts',
    find: '    if (callerId !== userId) await this.#requirePassword(userId, password)\n',
    replace: '',
    tests: [taking],
  },
  {
    name: 'a code works twice',
    promise: { in: 'server/identity/two-factor.ts', says: 'Each works once, also for requests at the same moment.' },
    file: 'server/identity/two-factor.ts',
    find: "      .where('last_step', '<', step)\n",
    replace: '',
    tests: [codes],
  },
  {
    name: 'a session that waits for a code opens the account',
    promise: {
      in: 'server/identity/auth.ts',
      says: 'The session of a user who has signed in and owes the code of the second factor',
    },
    file: 'server/identity/auth.ts',
    find: '    if (!found || found.session.awaitsCode) return null\n',
    replace: '    if (!found) return null\n',
    tests: [codes],
  },
  {
    name: 'no fresh proof is asked for',
    promise: { in: 'server/http/endpoint.ts', says: 'Whether a user must have proven who they are within ten minutes' },
    file: 'server/http/scope.ts',
    find: '    if (endpoint.freshProof && request.caller) requireFreshProof(request.caller, guards.now())\n',
    replace: '',
    tests: [codes],
  },
  {
    name: 'the device of one account is known to all',
    promise: {
      in: 'server/identity/guessing.ts',
      says: "The device's id when this cookie was issued for the account within the last year",
    },
    file: 'server/identity/guessing.ts',
    find: 'return account === accountKey(email) && id',
    replace: 'return account && id',
    tests: ['server/identity/guessing.test.ts'],
  },
  {
    name: 'a network makes as much as it likes by beginning again as another guest',
    promise: { in: 'server/identity/network-limits.ts', says: 'may make in an hour from one network' },
    file: 'server/identity/network-limits.ts',
    find: "    if (seconds > 0) throw new AppError('too_many_from_network', { params: { seconds }, limitOf: standing })\n",
    replace: '',
    tests: ['server/identity/network-limits.test.ts'],
  },
]
