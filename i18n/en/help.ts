export default {
  lead: 'What owners ask most, each with the page where it is done.',
  part: {
    begin: 'To begin',
    daily: 'Day by day',
    server: 'Your server',
    where: 'What is where',
    keys: 'From the keyboard',
  },
  list: {
    question: 'How do I bring my list?',
    answer:
      'Export it as CSV from where it is now (Substack, Mailchimp, beehiiv, Ghost, Kit, listmonk or a spreadsheet), and upload it here. You see what would happen before anything does, and nobody who left is brought back. This brings people, not what you published: paste that into new publications.',
  },
  test: {
    question: 'How do I see what readers will get?',
    answer:
      'Open a publication and press “Send me a test” (the paper plane on a phone). The mail comes to you, or lies in the outbox as long as no relay is set.',
  },
  relay: {
    question: 'How do I connect my mail server?',
    answer:
      'Add a relay: the host, user and password of your mail server, or the key of a mail provider. Until there is one, all mail is caught here and reaches nobody.',
  },
  domain: {
    question: 'How does my mail come from my own domain?',
    answer:
      'Choose a sender address in your domain. Then make keys, and copy the records that the page shows to whoever keeps your DNS. It says what is in order and what is missing.',
  },
  form: {
    question: 'How do people subscribe from my own site?',
    answer: 'Copy the form into your pages; it works without scripts. Or link to your subscribe page.',
  },
  together: {
    question: 'How do we write together?',
    answer:
      'Invite people by email, as owner, as editor, or to read only. When two people change the same text, both versions are shown, and nothing is lost.',
  },
  paid: {
    question: 'How do readers pay?',
    answer:
      'Make plans. People who pay you by transfer or in cash are entered by hand; connect Stripe, and readers pay by card. In its test mode no money moves, so all of it can be tried first.',
  },
  sponsors: {
    question: 'How do I sell space to sponsors?',
    answer:
      'Make a placement with a price, and insert its slot into your publications. Sponsors book it on a page of their own, and what they bought appears by itself.',
  },
  arrived: {
    question: 'Why did a mail not arrive?',
    answer:
      'Open the publication and then its deliveries. Each says what became of it, in the words of the server that answered.',
  },
  address: {
    question: 'How do readers reach me under my own address?',
    answer:
      'Start the server with it: <code>PUBLIC_URL=https://news.example.com npm start</code>. Links in mails and pages follow. <code>npm run tirage -- doctor</code> says whether it can be reached.',
  },
  backup: {
    question: 'How do I back up?',
    answer:
      'Stop the server, copy its data folder (<code>data</code>, or what <code>DATA_DIR</code> says), and start it again. With a PostgreSQL of your own: <code>pg_dump --format=custom</code>, the folder <code>media</code> and your <code>SECRET</code>.',
  },
  restore: {
    question: 'How do I restore it, or move to another machine?',
    answer:
      'Put the folder back, on this machine or another, and run <code>npm start</code> there. With a PostgreSQL of your own, <code>pg_restore</code> into an empty database first. Try it before you need it.',
  },
  upgrade: {
    question: 'How do I upgrade?',
    answer: 'Make a backup, then <code>git pull && npm start</code>. The data is brought up to date by itself.',
  },
  leave: {
    question: 'How do I take my subscribers elsewhere?',
    answer: 'Export them, with their tags, fields and states, as CSV or JSON.',
  },
  more: 'All settings of the server, its limits, and the way to several machines are in <code>docs/operating.md</code>, in the folder of the program.',
  programs: 'Everything this app does, for your own programs.',
  keys: {
    find: 'Go anywhere: pages, publications, subscribers, links',
    insert: 'In an empty paragraph: insert something; in the list of subscribers: search',
    enter: 'Enter',
    singleOff: 'Shortcuts of a single key are off. They can be turned on in <profile>your profile</profile>.',
    single: 'Shortcuts of a single key can be turned off in <profile>your profile</profile>.',
    settings: 'On a selected image, button or note: into its settings; Escape leads back',
    tools: 'In the text: to the tools above it; Escape leads back',
  },
  where: {
    dashboard: 'How your newsletter is doing, and what to do next.',
    publish: 'Write, check and send; what went out, and what became of it.',
    subscribers: 'Your readers, with tags, segments and imports.',
    advertise: 'Short links, campaigns, sponsors and recommendations.',
    charge: 'Plans, payments and the figures of what they bring.',
    outbox: 'Mail that was caught on this server and reached nobody.',
    settings: 'Name, look, sender, relays, domain, members and keys.',
  },
}
