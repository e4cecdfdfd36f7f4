export default {
  title: 'A sample letter',
  subtitle: 'To see how yours will look in an inbox',
  greeting: 'Good day {name},',
  reader: 'to you',
  what: 'This letter is a sample. Nobody but you has received it, and it stays a draft: change it, copy from it or delete it.',
  seenTitle: 'What you see',
  seen: 'The name of your newsletter stands at the top, its colour runs through the page, and the web shows the same as the inbox. You write once. Tirage sets both, and adds a plain text for those who prefer it.',
  quote: 'A letter is read because somebody wrote it. The rest can wait.',
  nextTitle: 'What comes next',
  next: {
    write: 'Write the first one. Type / in the editor: headings, pictures, quotes and buttons are there.',
    test: 'Send it to yourself as often as you like. A test counts in no figure and unsubscribes nobody.',
    invite: 'Bring the first readers. Your subscribe page is already open.',
  },
  button: 'See your subscribe page',
  arrived: 'This is how it arrives',
  outbox: 'If you are reading this in the outbox, no relay is set yet, and no mail leaves this server.',
}
