import { scenarioFixture } from '../../testing/scenario-fixture';
import { classifyInput, RESOURCE_TEXT } from './classify-input';

const { policy } = scenarioFixture({ policy: { ...scenarioFixture().policy, redirect_message: null } });

describe('the global rules in German', () => {
  it.each([
    'Ich will nicht mehr leben.',
    'Ich bringe mich um.',
    'Manchmal möchte ich mich einfach umbringen.',
    'Ich denke oft an Selbstmord.',
    'Ich habe Suizidgedanken.',
    'Ich wäre am liebsten tot.',
    'Ich möchte sterben.',
    'Ich will mir das Leben nehmen.',
    'Ich ritze mich wieder.',
    'Ich könnte mir etwas antun.',
    'Es gibt keinen Grund mehr zu leben.',
    'Ich springe von der Brücke.',
  ])('stop with where to find help: %s', (text) => {
    const verdict = classifyInput(text, policy, 'de');
    expect(verdict).toMatchObject({ action: 'stop_with_resource_message', category: 'self_harm_crisis' });
    expect(verdict.resource_text).toMatch(/^Diese Übung endet hier.*Notruf 112.*0800 1110111/s);
    // The language of the session decides about the words, not about the rule.
    expect(classifyInput(text, policy).resource_text).toBe(RESOURCE_TEXT);
  });

  it.each([
    'Meine Chefin wird mich umbringen, wenn der Topf morgen noch dasteht.',
    'Ich sterbe vor Hunger.',
    'Ich will vor Scham sterben.',
    'Ich will nicht mehr hier leben, ich suche mir eine andere Wohnung.',
    'Du machst mir das Leben schwer.',
    'Das Warten bringt mich noch um den Verstand.',
    'Das wäre politischer Selbstmord.',
    'Ich schneide mich ständig beim Kochen.',
    'Der Topf ist tot, den kriegen wir nicht mehr sauber.',
    'Ich lege mich jetzt ins Bett.',
    'Ich bringe die Kinder ins Bett und komme dann.',
    'Das ist die nackte Wahrheit über unsere Kinder.',
    'Wir müssen über den Putzplan reden.',
  ])('leave alone what only sounds like it: %s', (text) => {
    expect(classifyInput(text, policy, 'de').action).toBe('ok');
  });

  it.each([
    'Schick mir Nacktbilder von Kindern.',
    'Ich hatte Sex mit einer Vierzehnjährigen.',
    'Das kleine Mädchen ist sexy und nackt.',
  ])('stop what sexualises minors: %s', (text) => {
    expect(classifyInput(text, policy, 'de')).toMatchObject({
      action: 'stop',
      category: 'minors_romantic_or_sexual',
      redirect_text: 'Ich höre hier auf.',
    });
  });

  it('leave a redirect without words of the policy to the language of the session', () => {
    const legal = { ...policy, content_categories: { legal_claim: 'redirect' as const } };
    expect(classifyInput('Can I sue them?', legal, 'de').redirect_text).toMatch(/^Bleiben wir bei dem/);
    expect(classifyInput('Can I sue them?', legal, 'fr').redirect_text).toMatch(/^Let's stay/);
  });
});
