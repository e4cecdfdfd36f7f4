/** Domains of mailboxes that many people have, and that are long enough for one wrong letter to be told from another domain. */
const common =
  `gmail.com googlemail.com hotmail.com hotmail.fr hotmail.co.uk outlook.com outlook.fr yahoo.com yahoo.fr yahoo.co.uk
  icloud.com orange.fr wanadoo.fr laposte.net proton.me protonmail.com fastmail.com bbox.fr`.split(/\s+/)

/** Domains that differ from those by a letter, and in which people have mail. */
const real = new Set('ymail.com mail.com email.com cloud.com'.split(' '))

/** How people mistype `.com` and `.fr`. None of them is a domain in which these companies give mailboxes. */
const endings: Readonly<Record<string, string>> = {
  ...Object.fromEntries('co cm om con comm cpm vom xom ocm cmo coom'.split(' ').map((typed) => [typed, 'com'])),
  ...Object.fromEntries('f r ft rf ffr frr'.split(' ').map((typed) => [typed, 'fr'])),
}

/**
 * The address that was probably meant, or null: one letter of the domain's name was wrong, missing, too many or changed places with its
 * neighbour (`gmial.com`), or its ending was mistyped (`gmail.con`), never both.
 */
export function probablyMeant(normalised: string): string | null {
  const at = normalised.lastIndexOf('@')
  const domain = normalised.slice(at + 1)
  if (common.includes(domain) || real.has(domain)) return null
  const typed = parts(domain)
  const meant = commonParts.find((known) => isMistyped(typed, known))
  return meant ? `${normalised.slice(0, at)}@${meant.join('.')}` : null
}

type Parts = [name: string, ending: string]

function isMistyped([name, ending]: Parts, [knownName, knownEnding]: Parts): boolean {
  if (ending === knownEnding) return isOneEditAway(name, knownName)
  return name === knownName && endings[ending] === knownEnding
}

function parts(domain: string): Parts {
  const dot = domain.indexOf('.')
  return [domain.slice(0, dot), domain.slice(dot + 1)]
}

const commonParts = common.map(parts)

/** Whether one letter more, less or other, or two neighbours that change places, make the one out of the other (Damerau). */
export function isOneEditAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  )
}
