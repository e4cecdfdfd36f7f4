import {
  bullets,
  button,
  callout,
  divider,
  doc,
  h,
  p,
  paywall,
  picture,
  quote,
  styled,
  table,
} from '../document-builder.ts'
import type { SamplePublication } from './sample.ts'

/** What Low Water sent in the last weeks, newest first. */
export const autumn: SamplePublication[] = [
  {
    slug: 'the-harbour-that-waits',
    title: 'The harbour that waits',
    subtitle: 'Twice a day Ménez-Du runs out of sea. For the people who keep boats there, that is the whole point.',
    language: 'en',
    weeksAgo: 0,
    cover: 'harbour',
    content: doc(
      p(
        'At low water the boats at Ménez-Du lean on one another like old men after lunch. There is no pontoon, no fuel dock and nobody to take your lines. There is mud, a granite quay with the date 1871 cut into it, and a bell that has not been rung since the winter the cable came ashore.',
      ),
      p(
        'Six hours later there is a harbour. It arrives the way a good idea does, from the edges first, and for a while you are not sure anything has changed. Then the smallest dinghy lifts its nose, and someone on the quay puts down their coffee.',
      ),
      h(2, 'Four metres, twice a day'),
      p(
        'The range here is four metres on a lazy day and nearly nine on a spring. Marianne Le Goff, who has kept the tide book since her father stopped being able to see it, writes the heights in pencil. “Ink would be arrogant,” she says. “The table tells you the moon’s opinion. The wind has its own.”',
      ),
      p(
        'She keeps forty-one of these books on a shelf above the stove, where the damp cannot reach them. The oldest are in her grandfather’s hand, which leans to the left, as though it too were drying out and waiting for the water. I wrote about them in [Marianne’s tide book](https://lowwater.example/n/low-water/mariannes-tide-book); half of you wrote back about your own grandfathers.',
      ),
      quote('The table tells you the moon’s opinion. The wind has its own.'),
      h(2, 'What a drying harbour teaches'),
      p('A boat that sits on the ground twice a day has to be built for it, and so, in time, have its people.'),
      bullets(
        '**You plan backwards.** Not “when do I leave” but “when must I be back over the sill”.',
        '**You look after your legs.** The beaching legs are oak, and are checked like the brakes of a car.',
        '**You know your neighbours.** When everything leans, everything leans on something.',
      ),
      p(
        'The council offered a floating pontoon in 2019, with a grant to pay for two thirds of it. The vote was forty-four to three against. I asked one of the three, who would rather I did not name him, what happens now. He looked at the mud for some time. “Now we wait,” he said, “as usual.”',
      ),
      callout(
        'note',
        'Ménez-Du is not on most charts by that name. If you go, go on foot: the coast path from the chapel takes forty minutes, and [the bus](https://bus.example/ligne-31) comes back at ten past six.',
      ),
      button('See the tide at Ménez-Du', 'https://tides.example/menez-du'),
    ),
  },
  {
    slug: 'notes-from-the-fog-signal',
    title: 'Notes from the fog signal',
    subtitle: 'It stopped on a Tuesday. Nobody told the fog.',
    language: 'en',
    weeksAgo: 1,
    cover: 'fog',
    content: doc(
      p(
        'The signal at the north pier gave two blasts every sixty seconds in anything thicker than half a mile. It did so from 1936 until a Tuesday last month, when a van came, two men had a look at the compressor, and the notice to mariners was published that same afternoon. *Discontinued.* It is a good word. It says that the thing itself has no opinion.',
      ),
      p(
        'I went up on the first thick night to hear what was not there. The fog came in at ten, low and quite fast, like something poured. For eighty-seven years this was the moment when the town turned over in its sleep. I counted sixty seconds and heard a dog, then a halyard, then another sixty seconds.',
      ),
      paywall(),
      h(2, 'What it was for'),
      p(
        'Every boat that comes in here now knows where it is to within a few metres. The signal had become, in the words of the report, “of heritage rather than navigational value”. The report is right. It also has [an appendix of letters](https://lights.example/north-pier/appendix) from people who are not at sea at all: a night nurse, a baker, a man who cannot see.',
      ),
      quote(
        'I set my breathing by it. I suppose I shall have to find something else.',
        '*From the appendix, letter 14*',
      ),
      p(
        'The horn has gone to the museum at Kerhuon, where it can be heard on request, on the first Sunday of the month, in any weather.',
      ),
    ),
  },
  {
    slug: 'mariannes-tide-book',
    title: 'Marianne’s tide book',
    subtitle: 'Forty-one winters of pencil, and one entry in ink.',
    language: 'en',
    weeksAgo: 2,
    cover: 'table',
    content: doc(
      p(
        'A tide table is a promise made by the moon and printed by an office. A tide book is what happened. Marianne Le Goff keeps the second kind: two lines a day, the predicted height on the left and what the gauge on the quay said on the right, and a word for the wind if the two disagree.',
      ),
      table(
        ['Day', 'Predicted', 'Seen', 'Her word for it'],
        ['3 January', '7.10 m', '7.65 m', '*leaning in*'],
        ['12 February', '6.85 m', '6.80 m', '*honest*'],
        ['10 March', '8.90 m', '9.42 m', '*a visit*'],
        ['2 April', '7.40 m', '7.05 m', '*held back*'],
      ),
      p(
        'The difference has a name. Oceanographers call it the surge, or the residual, and they have had instruments for it since the nineteenth century. What they do not have, for this particular stretch of granite, is forty-one winters of it. A doctoral student from Brest came in June with a scanner. She stayed nine days. She was given the spare room and the job of peeling things.',
      ),
      h(2, 'The entry in ink'),
      p(
        'There is one. 15 October 1987, the night of the storm, in her father’s hand: *no reading, gauge gone*. He had walked down at three in the morning to look for it. The next line is in pencil again, a new gauge, eleven days later, and the height is the predicted height exactly, to the centimetre, as if the sea were being careful.',
      ),
      p('The scans are [open to everyone](https://archive.example/menez-du/tide-books), which was her only condition.'),
      p('*Small ads, paid for:* Le Phare, librairie, sells books about the sea, and nothing else.'),
    ),
  },
  {
    slug: 'a-short-history-of-mooring-badly',
    title: 'A short history of mooring badly',
    subtitle: 'With diagrams, and apologies to the harbour office.',
    language: 'en',
    weeksAgo: 3,
    cover: 'rope',
    content: doc(
      p(
        'Everybody who has ever owned a boat has a story about the time somebody else moored badly. Statistically this is difficult. I have spent a week in the harbour office with the incident book, and I can report that it is always the wind.',
      ),
      h(2, 'Four schools'),
      p(
        'The **optimist** uses one line, to whatever is nearest, and goes to lunch. The **pessimist** uses nine, in a web that nobody else can get through, and also goes to lunch. The **theoretician** knows the names of all the lines and has led the spring the wrong way. And the **local** ties a knot that has no name to a ring that nobody else can find, and the boat does not move for eleven years.',
      ),
      bullets(
        'Bow line and stern line: so that it stays here.',
        'Springs: so that it does not go there.',
        'Breast lines: so that you can get off it.',
        'Fenders: so that we can all go on speaking to one another.',
      ),
      p(
        'The earliest entry I found is from 1902: *schooner made fast to the lamp post; lamp post made fast to schooner*. The second half was added later, in another hand.',
      ),
      p([
        'The harbour office asks me to say that ',
        styled('ten metres of slack is not a mooring', { backgroundColor: '#fcf3da' }),
        ', and that the [leaflet](https://harbour.example/mooring.pdf) is free.',
      ]),
    ),
  },
  {
    slug: 'what-the-radio-heard',
    title: 'What the radio heard',
    subtitle: 'Channel 16, between two and four in the morning.',
    language: 'en',
    weeksAgo: 4,
    cover: 'radio',
    content: doc(
      p(
        'For three nights I sat with the watch at Corsen and listened to nothing happen. It is a particular nothing: open, slightly grainy, with the sense of a large room full of people who are being quiet on purpose.',
      ),
      p(
        '**02:14.** A tanker gives her position and her next port. Her officer has the voice of a man reading to a child. **02:31.** Somebody keys a microphone and does not speak; the watch looks up all the same. **02:58.** Two trawlers, on the wrong channel, about a football match; they are asked politely to go elsewhere, and they go, and one assumes that the match went with them.',
      ),
      h(2, '03:20'),
      p(
        'A sailing boat, one man, no distress. He would only like to know if there is fog ahead. There is not. He says thank you. After a while he says: “It is good to hear a voice, that is all.” The watch officer, whose name is Solène and who is twenty-six, presses the key and answers that it is good to hear his.',
      ),
      p(
        'It is not in the procedures. I looked. They are [public](https://watch.example/procedures), and rather beautiful, and say nothing on the point.',
      ),
      divider('stars'),
      p('*Read aloud on Radio Iroise. To those who came from there: welcome, and good morning.*'),
    ),
  },
  {
    slug: 'the-last-boatbuilders-ledger',
    title: 'The last boatbuilder’s ledger',
    subtitle: 'What was owed, by whom, and the three debts that were never meant to be paid.',
    language: 'en',
    weeksAgo: 6,
    cover: 'ledger',
    content: doc(
      p(
        'When the yard at Pors-Even closed, the family kept the tools and gave the ledger to the library. It covers 1948 to 1991 in one volume, because it was begun in a small hand and there were never as many boats as that.',
      ),
      p(
        'Most of it is oak and larch, copper nails by the kilo and Thursdays. But some accounts stay open, year after year, carried forward with a precise little flourish. A crabber’s widow: *keel, 1953*. The lifeboat: *one plank, no charge, but note it*. The schoolmaster, who paid in arithmetic lessons for two sons, of whom one is the librarian.',
      ),
      picture('ledger', {
        alt: 'A page of figures in two columns beside a drawing of a hull',
        caption: 'The page for the spring of 1953. The flourish is his.',
      }),
      p(
        '“He never forgave a debt in his life,” says the librarian. “He only carried it forward.” You can [turn the pages](https://library.example/pors-even/ledger) online. I recommend 1961.',
      ),
    ),
  },
]
