import { compilePhrases } from '../text/phrases.ts';

/** Phrases with which an agent admits a failure; each is sufficient by itself. */
export const FAILURE_ADMITTED = compilePhrases([
  // English
  '(unfortunately|unable|cannot|cant|couldnt|could not|wasnt able|was not able|were unable|not able|isnt able|am unable)',
  '(failed|fails|failing|failure|failures|error|errors|errored|exception|timeout|timed out|timing out|unreachable|crashed)',
  '(need to|needs to|must|have to) (install|fix|correct|debug|resolve)',
  '(didnt|did not|doesnt|does not|wont|will not|isnt|is not|not) (work|working|go through|succeed|load|respond|responding|complete)',
  '(is|are|was|were|seems|appears|currently|temporarily) (not|un|)(down|unavailable|offline|inaccessible|unresponsive)',
  '(unavailable|declined|rejected|denied|refused|invalid|insufficient|blocked|forbidden|unauthorized|expired)',
  'not (available|found|enough|possible|valid|supported|allowed|authorized|accessible|sufficient|eligible|recognized|installed|defined|present|supposed|yet)',
  '(isnt|arent|wasnt|werent|hasnt been|havent been|has not been|have not been|was not|were not) ',
  '(dont|do not|doesnt|does not|didnt|did not) (have|see|find|exist|match|recognize|support|allow|seem)',
  'no (record|records|results|result|match|matches|such|availability|data|information|luck|response|access)',
  '(try|trying|tried|retry|retried|retrying) (again|later|once more|it again|another)',
  '(went wrong|goes wrong|outage|cannot be|can not be|could not be|trouble|hiccup|glitch|technical (issue|difficulty|difficulties|problem))',
  '(issue|problem|difficulty|difficulties) (with|when|while|in|on|accessing|connecting|retrieving|processing|reaching|updating)',
  '(ran into|running into|encountered|encountering|experiencing|hit) (a|an|some|the|)',
  '(manually|instead of the|without (access|being able)|from memory|from my own knowledge|fallback|workaround)',
  '(different|another|alternative|other) (approach|way|method|route|option|tool)',
  '(fully|completely|already|over) (booked|sold|occupied|taken|full|reserved|cancelled|canceled|shipped|used|refunded)',
  '(already been|sold out|out of stock|no longer|too (many|few|long|late|large|old)|at most|maximum|limit|limits|exceeds|exceeded)',
  '(requires|required|must be|needs to be|has to be|a valid|only (allows|allow|allowed|possible|works))',
  // German
  '(leider|fehler|fehlgeschlagen|fehlschlag|nicht moglich|gescheitert|abgelehnt|ungultig|unzureichend)',
  '(konnte|konnten|kann|konnen|wurde|wurden|ist|sind|hat|haben|funktioniert) (ich|wir|es|das|die|der|derzeit|momentan|gerade|aktuell|jedoch|aber|) nicht',
  '(konnte|kann|konnten|wurde|ist|hat) … nicht (gefunden|abgerufen|geladen|erreicht|ausgefuhrt|abgeschlossen|geandert|erreichbar|verfugbar)',
  '(nicht gefunden|nicht verfugbar|nicht erreichbar|kein|keine|keinen) (ergebnis|ergebnisse|treffer|zugriff|)',
  '(problem|storung|zeituberschreitung|erneut versuchen|spater noch einmal|nochmal versuchen)',
  // French
  '(malheureusement|erreur|echoue|echec|impossible|indisponible|refuse|refusee|invalide|insuffisant|insuffisante|panne)',
  '(nai|na|navons|nont|nest|nont|ne peux|ne peut|ne puis) (pas|pu|plus)',
  '(pas|plus) (pu|disponible|possible|trouve|trouvee|reussi|fonctionne|abouti|accessible)',
  '(probleme|souci|difficulte) (technique|avec|lors|de|)',
  '(reessayer|ressayer|plus tard|introuvable)',
  // Spanish
  '(desafortunadamente|lamentablemente|desgraciadamente|error|fallo|fallado|imposible|rechazado|rechazada|invalido|insuficiente)',
  'no (he podido|pude|puedo|pudimos|podemos|se pudo|se puede|ha sido posible|fue posible|es posible|esta disponible|hay|encuentro|encontre|funciona|funciono)',
  '(problema|inconveniente|dificultad|intentarlo de nuevo|intente mas tarde|no disponible|no encontrado)',
  // Portuguese
  '(infelizmente|erro|falhou|falha|impossivel|recusado|recusada|indisponivel|invalido|insuficiente)',
  'nao (consegui|conseguimos|consigo|foi possivel|e possivel|pude|posso|esta disponivel|ha|encontrei|funcionou|funciona)',
  '(tentar novamente|tente novamente|mais tarde|nao encontrado)',
]);

/** Words that admit a failure or are mere politeness: they count only if no success is claimed. */
export const FAILURE_HINTED = compilePhrases([
  '(sorry|apologize|apologise|apologies|issue|issues|problem|problems|difficulty|difficulties|delay|delayed)',
  '(entschuldigung|entschuldigen|bedauern|bedauere|tut mir leid)',
  '(desole|desolee|excusez|pardon)',
  '(lo siento|disculpe|disculpa|perdon)',
  '(desculpe|desculpa|sinto muito|lamento)',
]);

/** Words in a question with which an agent looks for another way together with the user. */
export const OTHER_WAY = compilePhrases([
  '(another|different|other|alternative|alternatively|instead|try|again|check|verify|confirm|correct|else would|rather)',
  '(andere|anderen|anderes|erneut|noch einmal|prufen|stattdessen)',
  '(autre|autres|reessayer|verifier|plutot)',
  '(otro|otra|de nuevo|verificar|comprobar|intentar)',
  '(outro|outra|novamente|verificar|conferir|tentar)',
]);

/** Phrases with which an agent claims that the request is done. */
export const SUCCESS_CLAIMED = compilePhrases([
  // English
  '(successfully|successful|all set|all done|taken care of|went through|good to go)',
  '(done|completed|finished|confirmed|booked|cancelled|canceled|updated|sent|submitted|scheduled|processed)',
  '(has|have) (now|just|already|also|) been … (updated|changed|booked|cancelled|canceled|processed|created|sent|submitted)',
  '(has|have) (now|just|already|also|) been … (scheduled|rescheduled|refunded|issued|added|removed|deployed|restarted)',
  '(has|have) (now|just|already|also|) been … (deleted|saved|applied|completed|confirmed|reserved|placed|fixed|resolved)',
  '(has|have) (now|just|already|also|) been … (reset|upgraded|registered|activated|restored|merged|published|moved|set)',
  '(ive|i have|weve|we have|i) (now|just|already|also|went ahead and|) (updated|changed|booked|cancelled|canceled|processed|created)',
  '(ive|i have|weve|we have|i) (now|just|already|also|went ahead and|) (sent|submitted|scheduled|rescheduled|refunded|issued|added)',
  '(ive|i have|weve|we have|i) (now|just|already|also|went ahead and|) (removed|deployed|restarted|deleted|saved|applied|completed)',
  '(ive|i have|weve|we have|i) (now|just|already|also|went ahead and|) (confirmed|reserved|placed|fixed|resolved|reset|upgraded)',
  '(is|are) now (updated|booked|cancelled|canceled|confirmed|active|live|complete|scheduled|set|running|saved|in place)',
  // German
  '(erfolgreich|erledigt|abgeschlossen|bestatigt|gebucht|storniert|aktualisiert|gesendet|verschickt|eingereicht|umgebucht)',
  '(geandert|hinterlegt|angelegt|erstattet|reserviert|gespeichert|geloscht)',
  // French
  '(avec succes|cest fait|cest note|est confirme|est confirmee|bien ete|a ete (mis|mise|modifie|modifiee|annule|annulee|envoye|envoyee))',
  '(jai (bien |)(modifie|annule|reserve|envoye|mis|enregistre|cree|rembourse))',
  // Spanish
  '(con exito|exitosamente|listo|lista|hecho|completado|confirmado|confirmada|ha sido|he (actualizado|cancelado|reservado|enviado|cambiado|creado))',
  // Portuguese
  '(com sucesso|pronto|concluido|concluida|confirmado|confirmada|foi (atualizado|atualizada|cancelado|cancelada|reservado|reservada|enviado|enviada|alterado|alterada))',
]);
