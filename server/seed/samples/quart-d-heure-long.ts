import {
  bullets,
  button,
  callout,
  code,
  divider,
  doc,
  h,
  p,
  picture,
  quote,
  steps,
  styled,
  table,
  video,
} from '../document-builder.ts'
import type { SamplePublication } from './sample.ts'

/** The long one: every control of the editor has a place in it. */
export const longRead: SamplePublication = {
  slug: 'vingt-sept-minutes-a-brest',
  title: 'Vingt-sept minutes à Brest',
  subtitle: "Comment la France a appris à dire l'heure, gare après gare, et ce qu'il en reste aux cadrans.",
  subject: 'Il était midi à Paris, et onze heures trente-trois à Brest',
  language: 'fr',
  weeksAgo: 0,
  cover: 'lighthouse',
  content: doc(
    p([
      styled('Il fut un temps', { size: 'large', font: 'newsreader' }),
      " où le voyageur qui descendait du train à Brest retardait sa montre de vingt-sept minutes. Personne ne s'en étonnait. Midi était l'affaire du soleil, et le soleil, comme chacun sait, arrive en Bretagne après tout le monde.",
    ]),
    p(
      "L'heure n'appartenait à personne. Chaque ville avait la sienne, réglée sur un cadran, sur un clocher ou sur un homme que l'on payait pour regarder le ciel. **Ce n'était pas du désordre** : c'était *exact*, mais exact sur place. Il fallut le chemin de fer pour que l'exactitude devienne un problème.",
    ),
    h(2, "Ce que disait l'ombre"),
    p(
      "La Terre tourne d'un degré en quatre minutes. Entre Strasbourg et Brest il y a un peu plus de douze degrés, donc près de cinquante minutes de soleil. Voici ce que valait midi à Paris, dans quelques villes, du temps où elles avaient encore leur mot à dire :",
    ),
    table(
      ['Ville', 'Longitude', 'Quand il est midi à Paris', 'Écart'],
      ['Strasbourg', "7° 45' E", '12 h 22', '+ 22 min'],
      ['Nice', "7° 16' E", '12 h 20', '+ 20 min'],
      ['Lyon', "4° 50' E", '12 h 10', '+ 10 min'],
      ['**Paris**', "**2° 20' E**", '**12 h 00**', '**0**'],
      ['Bordeaux', "0° 35' O", '11 h 48', '− 12 min'],
      ['Brest', "4° 29' O", '11 h 33', '− 27 min'],
    ),
    p(
      "Le calcul tient sur un coin de nappe. On prend la différence des longitudes, on la multiplie par quatre, et l'on obtient des minutes. Les instituteurs en faisaient un exercice ; en voici la version qui tient sur une ligne :",
    ),
    code('js', 'const minutes = (longitude) => Math.round((longitude - 2.337) * 4)\nminutes(-4.486) // −27, Brest'),
    h(2, 'Le train arrive'),
    p(
      "Les compagnies n'avaient pas le temps d'avoir plusieurs heures. Elles prirent celle de Paris, et l'imposèrent à leurs quais. Restait la ville, dehors, avec la sienne. Pendant des décennies, une gare de province fut un petit poste-frontière : on y changeait de minute en passant la porte.",
    ),
    quote(
      "Le voyageur trouvait deux horloges : celle de la cour, qui disait l'heure de la ville, et celle du quai, qui disait l'heure du train. Il croyait la première et courait après la seconde.",
    ),
    p(
      "Le plus beau vint après. La loi du 14 mars 1891 fit de l'heure de Paris l'heure légale de toute la France. Mais les compagnies gardèrent, *par courtoisie*, une habitude : à l'intérieur des gares, les horloges des quais __retardaient de cinq minutes__ sur celles de la façade, pour que les retardataires aient une chance. Le pays tout entier vécut ainsi vingt ans : l'heure exacte dehors, et cinq minutes de grâce dedans.",
    ),
    picture('clock', {
      alt: "Une horloge de gare à deux aiguilles des minutes, l'une en avance sur l'autre",
      caption: 'Deux aiguilles des minutes : la ville et le train.',
      width: 'wide',
    }),
    h(3, 'Trois façons de se mettre d’accord'),
    steps(
      [
        p("**Suivre le soleil.** C'est juste, et c'est inutilisable au-delà d'un canton."),
        bullets('Il faut un cadran par clocher.', "Il faut surtout qu'il fasse beau."),
      ],
      '**Suivre la capitale.** C’est pratique, et cela vexe Strasbourg le matin et Brest le soir.',
      '**Suivre Greenwich.** C’est ce que faisait déjà la mer, et c’est bien ce qui posait problème.',
    ),
    h(3, 'Ne pas dire le nom'),
    p(
      "En 1911, il fallut bien rejoindre le reste du monde. Le Parlement vota que l'heure légale serait « l'heure temps moyen de Paris, retardée de neuf minutes et vingt et une secondes ». On chercherait en vain le mot *Greenwich* dans la loi : il n'y est pas. ~~Une capitulation~~ Une périphrase.",
    ),
    callout(
      'tip',
      "**Pour refaire l'expérience.** À midi à votre montre, plantez un bâton bien droit. En heure d'hiver, son ombre sera la plus courte un peu plus tard : vers 12 h 30 à Strasbourg, vers 13 h 20 à Brest, selon la saison.",
    ),
    h(4, 'Petit lexique'),
    bullets(
      '**Temps vrai** : celui du cadran. Il avance ou retarde d’un quart d’heure selon la saison.',
      '**Temps moyen** : le même, lissé sur l’année par des gens patients.',
      '**Temps universel** : noté UT_{1} quand la Terre le mesure, et corrigé d’une seconde quand elle traîne, soit 10^{−9} de sa journée, ou presque.',
    ),
    h(5, 'Une note de lecture'),
    p(
      [
        'Tout ceci doit beaucoup au catalogue de l’exposition ',
        styled('L’Heure pour tous', { color: '#9a3412' }),
        ', que l’on trouve [chez son éditeur](https://editions.example/heure-pour-tous), et au ',
        styled('Journal officiel du 10 mars 1911', { backgroundColor: '#fcf3da', font: 'geist-mono', size: 'small' }),
        ', que l’on lit [en ligne](https://archives.example/jo/1911-03-10).',
      ],
      { indent: 1 },
    ),
    h(6, 'Et ailleurs'),
    p('الساعة الآن تمام الثانية عشرة', { dir: 'rtl', textAlign: 'right' }),
    p('« Il est maintenant midi précis », disait la radio du Caire, et personne ne demandait : *où ?*', {
      textAlign: 'center',
    }),
    video(
      'https://video.example/horloge-de-brest.mp4',
      "L'horloge de la gare de Brest, filmée pendant un quart d'heure",
    ),
    p(
      "Il nous reste peu de chose de cette querelle. Un méridien de laiton dans un parquet, quelques cadrans où l'on lit encore *heure de Paris*, et cette politesse étrange, que toutes les gares ont perdue : cinq minutes, sans rien demander, pour ceux qui arrivent en courant. {name|Vous} en auriez fait bon usage, et moi aussi.",
      { textAlign: 'justify' },
    ),
    divider('stars'),
    button('Écouter la version lue', 'https://podcast.example/vingt-sept-minutes'),
  ),
}
