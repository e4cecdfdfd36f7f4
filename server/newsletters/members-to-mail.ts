import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { isLanguage, type Language } from '../languages.ts'
import { may, type Permission, roleNames } from '../permissions.ts'

/** Members who may do something and proved their address, in the language of their profile, else the newsletter's. */
export async function membersToMail(
  db: Db,
  newsletter: Pick<NewsletterRow, 'id' | 'language'>,
  permission: Permission,
): Promise<{ email: string; language: Language }[]> {
  const able = roleNames.filter((role) => may(role, permission))
  const { rows } = await sql<{ email: string; language: string | null }>`
    select u.email, p.language from member m join "user" u on u.id = m.user_id left join profile p on p.user_id = u.id
    where m.newsletter_id = ${newsletter.id} and m.role::text = any(${able}::text[]) and u.email_verified and u.is_anonymous is not true
    order by u.email`.execute(db)
  return rows.map(({ email, language }) => ({
    email,
    language: language && isLanguage(language) ? language : newsletter.language,
  }))
}
