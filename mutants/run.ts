import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessMutants } from './access.ts'
import { beforeSendingMutants } from './before-sending.ts'
import { bulkMutants } from './bulk.ts'
import { campaignOfferMutants } from './campaign-offers.ts'
import { campaignResultMutants } from './campaign-results.ts'
import { campaignMutants } from './campaigns.ts'
import { chargeMutants } from './charge.ts'
import { feedbackMutants } from './feedback.ts'
import { giftMutants } from './gifts.ts'
import { identityMutants } from './identity.ts'
import { linkMutants } from './links.ts'
import { liveMutants } from './live.ts'
import type { Mutant } from './mutant.ts'
import { publicMutants } from './public.ts'
import { rightsMutants } from './rights.ts'
import { segmentMutants } from './segments.ts'
import { sendingMutants } from './sending.ts'
import { sponsorFigureMutants, sponsorMailMutants } from './sponsor-figures.ts'
import { sponsorPaymentMutants } from './sponsor-payments.ts'
import { sponsorReportMutants } from './sponsor-report.ts'
import { slotMutants } from './sponsor-slots.ts'
import { sponsorshipMutants } from './sponsorship.ts'
import { copyTo, faultsOf, type Verdict, Workshop } from './workshop.ts'

/**
 * `npm run mutants`, or `npm run mutants -- journal`: breaks the program in one small way at a time, in a copy, and says which
 * test noticed. The exit code is 1 when a breakage survives, when a test fails without one, or when the list is out of date. With
 * `--verify`, only the last is asked.
 */
const all: Mutant[] = [
  ...segmentMutants,
  ...slotMutants,
  ...sendingMutants,
  ...beforeSendingMutants,
  ...feedbackMutants,
  ...accessMutants,
  ...identityMutants,
  ...publicMutants,
  ...bulkMutants,
  ...rightsMutants,
  ...chargeMutants,
  ...linkMutants,
  ...liveMutants,
  ...sponsorReportMutants,
  ...giftMutants,
  ...sponsorshipMutants,
  ...sponsorFigureMutants,
  ...sponsorMailMutants,
  ...sponsorPaymentMutants,
  ...campaignMutants,
  ...campaignResultMutants,
  ...campaignOfferMutants,
]
const LANES = 2

const verifiesOnly = process.argv.includes('--verify')
const wanted = process.argv.slice(2).filter((word) => word !== '--verify')
const mutants = all.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))

const faults = all.flatMap(faultsOf)
if (mutants.length === 0) faults.push(`No mutant is called ${wanted.join(' or ')}.`)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : verifiesOnly ? 0 : await runAll()

async function runAll(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tirage-mutants-'))
  try {
    const shops = Array.from({ length: LANES }, (_, lane) => new Workshop(copyTo(join(folder, String(lane)))))
    const broken = await shops[0]?.failingWithout(mutants)
    if (broken) {
      console.error(`Fails without any breakage: ${broken}`)
      return 1
    }
    const verdicts = await inLanes(shops)
    const survived = verdicts.filter(({ killedBy }) => killedBy === null).length
    console.log(`\n${verdicts.length - survived} noticed, ${survived} survived`)
    return survived > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function inLanes(shops: Workshop[]): Promise<Verdict[]> {
  const waiting = [...mutants]
  const verdicts: Verdict[] = []
  await Promise.all(
    shops.map(async (shop) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const verdict = await shop.judge(mutant)
        console.log(
          `${verdict.killedBy === null ? 'SURVIVED' : 'noticed '}  ${mutant.name}  ←  ${verdict.killedBy ?? verdict.note}`,
        )
        verdicts.push(verdict)
      }
    }),
  )
  return verdicts
}
