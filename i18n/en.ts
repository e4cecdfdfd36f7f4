import advertise from './en/advertise.ts'
import audit from './en/audit.ts'
import boughtGifts from './en/boughtGifts.ts'
import campaigns from './en/campaigns.ts'
import charge from './en/charge.ts'
import chargeMail from './en/chargeMail.ts'
import cli from './en/cli.ts'
import dashboard from './en/dashboard.ts'
import delivery from './en/delivery.ts'
import digests from './en/digests.ts'
import document from './en/document.ts'
import domain from './en/domain.ts'
import editor from './en/editor.ts'
import email from './en/email.ts'
import errors from './en/errors.ts'
import failedPayment from './en/failedPayment.ts'
import feedback from './en/feedback.ts'
import figures from './en/figures.ts'
import find from './en/find.ts'
import gifts from './en/gifts.ts'
import help from './en/help.ts'
import identity from './en/identity.ts'
import imports from './en/imports.ts'
import links from './en/links.ts'
import media from './en/media.ts'
import newsletters from './en/newsletters.ts'
import optIn from './en/optIn.ts'
import outbox from './en/outbox.ts'
import own from './en/own.ts'
import page from './en/page.ts'
import paywall from './en/paywall.ts'
import plans from './en/plans.ts'
import preFlight from './en/preFlight.ts'
import publications from './en/publications.ts'
import publish from './en/publish.ts'
import readers from './en/readers.ts'
import recommendations from './en/recommendations.ts'
import relays from './en/relays.ts'
import said from './en/said.ts'
import sample from './en/sample.ts'
import segments from './en/segments.ts'
import shell from './en/shell.ts'
import sponsorReport from './en/sponsorReport.ts'
import sponsors from './en/sponsors.ts'
import sponsorship from './en/sponsorship.ts'
import stripe from './en/stripe.ts'
import subscribers from './en/subscribers.ts'
import ui from './en/ui.ts'
import unsaved from './en/unsaved.ts'
import welcomes from './en/welcomes.ts'

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
