import advertise from './fr/advertise.ts'
import audit from './fr/audit.ts'
import boughtGifts from './fr/boughtGifts.ts'
import campaigns from './fr/campaigns.ts'
import charge from './fr/charge.ts'
import chargeMail from './fr/chargeMail.ts'
import cli from './fr/cli.ts'
import dashboard from './fr/dashboard.ts'
import delivery from './fr/delivery.ts'
import digests from './fr/digests.ts'
import document from './fr/document.ts'
import domain from './fr/domain.ts'
import editor from './fr/editor.ts'
import email from './fr/email.ts'
import errors from './fr/errors.ts'
import failedPayment from './fr/failedPayment.ts'
import feedback from './fr/feedback.ts'
import figures from './fr/figures.ts'
import find from './fr/find.ts'
import gifts from './fr/gifts.ts'
import help from './fr/help.ts'
import identity from './fr/identity.ts'
import imports from './fr/imports.ts'
import links from './fr/links.ts'
import media from './fr/media.ts'
import newsletters from './fr/newsletters.ts'
import optIn from './fr/optIn.ts'
import outbox from './fr/outbox.ts'
import own from './fr/own.ts'
import page from './fr/page.ts'
import paywall from './fr/paywall.ts'
import plans from './fr/plans.ts'
import preFlight from './fr/preFlight.ts'
import publications from './fr/publications.ts'
import publish from './fr/publish.ts'
import readers from './fr/readers.ts'
import recommendations from './fr/recommendations.ts'
import relays from './fr/relays.ts'
import said from './fr/said.ts'
import sample from './fr/sample.ts'
import segments from './fr/segments.ts'
import shell from './fr/shell.ts'
import sponsorReport from './fr/sponsorReport.ts'
import sponsors from './fr/sponsors.ts'
import sponsorship from './fr/sponsorship.ts'
import stripe from './fr/stripe.ts'
import subscribers from './fr/subscribers.ts'
import ui from './fr/ui.ts'
import unsaved from './fr/unsaved.ts'
import welcomes from './fr/welcomes.ts'

/** Every sentence people read, by slice. */
export default {
  advertise,
  audit,
  campaigns,
  charge,
  chargeMail,
  cli,
  dashboard,
  delivery,
  digests,
  document,
  domain,
  editor,
  email,
  errors,
  failedPayment,
  feedback,
  figures,
  find,
  boughtGifts,
  gifts,
  help,
  identity,
  imports,
  links,
  media,
  newsletters,
  optIn,
  outbox,
  own,
  page,
  paywall,
  plans,
  preFlight,
  publications,
  publish,
  readers,
  recommendations,
  relays,
  said,
  sample,
  segments,
  shell,
  sponsorReport,
  sponsors,
  sponsorship,
  stripe,
  subscribers,
  ui,
  unsaved,
  welcomes,
}
