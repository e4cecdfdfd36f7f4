import type { Context } from '../context.ts'
import { StartError } from '../start-error.ts'
import type { Translate } from '../translator.ts'
import { endAllSessions } from './sessions.ts'

interface Terminal {
  t: Translate
  say(line: string): void
}

/**
 * `tirage sessions end ADDRESS`: signs a person out everywhere. Their password, second factor and API keys stay as they are.
 * @throws StartError for what cannot be done as asked
 */
export async function sessionsCommand(
  context: Pick<Context, 'db' | 'log'>,
  args: string[],
  { t, say }: Terminal,
): Promise<void> {
  const [act = '', given = '', ...more] = args
  if (act !== 'end' || more.length > 0)
    throw new StartError(t('cli.unknownCommand', { command: ['sessions', ...args].join(' ') }))
  const email = given.trim().toLowerCase()
  if (!email) throw new StartError(t('cli.sessions.whose'))
  const user = await context.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  if (!user) throw new StartError(t('cli.sessions.nobody', { email }))
  say(t('cli.sessions.ended', { count: await endAllSessions(context, user.id), email }))
}
