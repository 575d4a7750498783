"""The words for what a plan holds: findings, actions, evidence, memory; the glossary; text in ASCII."""
