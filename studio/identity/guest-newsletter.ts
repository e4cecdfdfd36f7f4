import type { TFunction } from 'i18next'
import { createNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { firstSettings } from '../newsletters/first-settings.ts'
import { detectSettings } from '../settings.ts'
import { rememberNewsletter } from '../shell/newsletter.tsx'

/** A newsletter to try with. Whoever only tries is not asked for its name, which can be changed. */
export async function createGuestNewsletter(t: TFunction): Promise<void> {
  const body = { name: t('newsletters.welcome.guestName'), ...firstSettings(detectSettings()) }
  const { id } = await call(createNewsletter, { body })
  rememberNewsletter(id)
}
